#include "stream_builder.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace timerbench::workloads {

StreamBuilder::StreamBuilder(std::string workload, const StreamSettings& settings)
    : scale_(settings.tick), current_(settings.start / settings.tick) {
  if (floor_mod(settings.start, settings.tick) != 0) {
    throw_invalid("start", settings.start,
                  "a multiple of the tick, " + std::to_string(settings.tick));
  }
  stream_.workload = std::move(workload);
  stream_.tick = settings.tick;
  stream_.start = settings.start;
  stream_.seed = settings.seed;
  stream_.population = settings.population;
}

JobNumber StreamBuilder::acquire() {
  if (free_.empty()) return stream_.jobs++;
  const JobNumber job = free_.back();
  free_.pop_back();
  return job;
}

void StreamBuilder::schedule(JobNumber number, Time deadline) {
  scale_.expiry(deadline);  // Throws if it is not representable.
  if (next_sequence_ == std::numeric_limits<Sequence>::max()) {
    throw_limit("schedule operations of a stream", next_sequence_);
  }
  Job& job = job_at(number);
  push({deadline, number, job.pending ? OpKind::kReschedule : OpKind::kSchedule});
  if (job.pending) {
    ++outcome_.reschedules;
  } else {
    ++outcome_.schedules;
    ++pending_;
    stream_.pending_peak = std::max(stream_.pending_peak, pending_);
  }
  job = {next_sequence_++, true};
  heap_.push_back({deadline, job.sequence, number});
  std::push_heap(heap_.begin(), heap_.end(), FiresLater{});
}

void StreamBuilder::cancel(JobNumber number) {
  push({0, number, OpKind::kCancel});
  Job& job = job_at(number);
  if (job.pending) {
    ++outcome_.cancel_hits;
    --pending_;
    job.pending = false;
  } else {
    ++outcome_.cancel_misses;
  }
}

std::span<const JobNumber> StreamBuilder::advance(Time now) {
  push({now, 0, OpKind::kAdvance});
  ++outcome_.advances;
  current_ = std::max(current_, scale_.floor(now).number);
  fired_.clear();
  // ceil(deadline / T) <= current is the same as deadline <= current * T.
  const Time reached = this->now();
  for (drop_stale(); !heap_.empty() && heap_.front().deadline <= reached; drop_stale()) {
    const JobNumber job = heap_.front().job;
    pop();
    jobs_[job].pending = false;
    --pending_;
    outcome_.add_fired(job, now);
    fired_.push_back(job);
  }
  return fired_;
}

std::optional<Time> StreamBuilder::next() {
  push({0, 0, OpKind::kNext});
  const std::optional<Time> answer = next_expiry();
  outcome_.add_next(answer.has_value(), answer.value_or(0));
  return answer;
}

void StreamBuilder::begin_timed() {
  if (timed_) throw std::logic_error("StreamBuilder: begin_timed() was called twice");
  timed_ = true;
  stream_.preload_outcome = std::exchange(outcome_, {});
  stream_.pending_before = pending_;
}

std::optional<JobNumber> StreamBuilder::earliest() {
  drop_stale();
  if (heap_.empty()) return std::nullopt;
  return heap_.front().job;
}

std::optional<Time> StreamBuilder::next_expiry() {
  drop_stale();
  if (heap_.empty()) return std::nullopt;
  return std::max(current_, scale_.expiry(heap_.front().deadline).number) * scale_.tick_length();
}

OpStream StreamBuilder::finish() && {
  if (!timed_) throw std::logic_error("StreamBuilder: begin_timed() was never called");
  stream_.outcome = outcome_;
  stream_.pending_after = pending_;
  if (stream_.population == 0) stream_.population = stream_.pending_peak;
  return std::move(stream_);
}

void StreamBuilder::push(Op op) { (timed_ ? stream_.ops : stream_.preload).push_back(op); }

StreamBuilder::Job& StreamBuilder::job_at(JobNumber job) {
  if (job >= jobs_.size()) {
    jobs_.resize(job + std::size_t{1});
    stream_.jobs = std::max(stream_.jobs, job + 1);
  }
  return jobs_[job];
}

void StreamBuilder::drop_stale() {
  while (!heap_.empty()) {
    const Job& job = jobs_[heap_.front().job];
    if (job.pending && job.sequence == heap_.front().sequence) return;
    pop();
  }
}

void StreamBuilder::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), FiresLater{});
  heap_.pop_back();
}

}  // namespace timerbench::workloads
