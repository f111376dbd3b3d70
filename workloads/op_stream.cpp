#include "op_stream.hpp"

#include <algorithm>

#include <span>

namespace timerbench::workloads {

std::uint64_t Outcome::operations() const {
  return schedules + reschedules + cancel_hits + fired + nexts + advances;
}

namespace {

class Hash {
 public:
  void add(std::uint64_t word) {
    // The finisher of splitmix64 over the chained value: every bit of the word reaches every bit of
    // it.
    value_ += word + 0x9E3779B97F4A7C15u;
    value_ = (value_ ^ (value_ >> 30)) * 0xBF58476D1CE4E5B9u;
    value_ = (value_ ^ (value_ >> 27)) * 0x94D049BB133111EBu;
    value_ ^= value_ >> 31;
  }

  void add(std::span<const Op> ops) {
    add(ops.size());  // So that it matters where the preload ends.
    for (const Op& op : ops) {
      add(static_cast<std::uint64_t>(op.time));
      add((std::uint64_t{op.job} << 8) | static_cast<std::uint64_t>(op.kind));
    }
  }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace

std::uint64_t digest(const OpStream& stream) {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(stream.tick));
  hash.add(static_cast<std::uint64_t>(stream.start));
  hash.add(std::span<const Op>(stream.preload));
  hash.add(std::span<const Op>(stream.ops));
  return hash.value();
}

std::uint64_t ticks_crossed(const OpStream& stream) {
  const TickScale scale(stream.tick);
  Tick last = scale.floor(stream.start);
  const Tick first = last;
  for (const std::vector<Op>* ops : {&stream.preload, &stream.ops}) {
    for (const Op& op : *ops) {
      if (op.kind == OpKind::kAdvance) last = std::max(last, scale.floor(op.time));
    }
  }
  return ticks_between(first, last);
}

}  // namespace timerbench::workloads
