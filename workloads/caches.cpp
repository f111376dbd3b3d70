// Expiry of cache entries, with the times to live that Twitter's caches use.
#include "caches.hpp"

#include <array>
#include <cmath>

#include "deterministic_math.hpp"
#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

// Computed from traces/twitter_cache_stat_2020Mar.md (see there and in ATTRIBUTION.md for its
// origin): each time to live of each of the clusters, weighted by the cluster's writes, which are
// its request rate times the shares of set, add, cas, replace, append and prepend in its
// operations. A test derives it again.
constexpr std::array kMixture = std::to_array<TtlShare>({
    {5, 1180},      {10, 7469},       {20, 20661},      {30, 133018},    {60, 215682},
    {120, 36690},   {180, 22},        {299, 1396},      {300, 65600},    {360, 99},
    {490, 429},     {500, 286},       {510, 429},       {520, 429},      {540, 429},
    {550, 429},     {570, 286},       {580, 286},       {590, 429},      {596, 286},
    {600, 4253},    {660, 33},        {900, 5786},      {1199, 51},      {1200, 408},
    {1379, 778},    {1380, 14780},    {1800, 145},      {2700, 1967},    {3600, 59363},
    {5760, 559},    {6120, 1032},     {6480, 1204},     {6840, 989},     {7200, 9379},
    {7920, 20133},  {10800, 4530},    {11520, 17},      {11880, 38},     {12240, 38},
    {12600, 35},    {12960, 35},      {13320, 32},      {13680, 38},     {14040, 35},
    {14400, 10383}, {21600, 3372},    {23760, 1220},    {24120, 1220},   {24480, 1220},
    {24840, 1220},  {25200, 1220},    {25560, 1220},    {25920, 1220},   {26280, 1046},
    {26640, 1220},  {27000, 1395},    {28800, 187346},  {34920, 317},    {35280, 465},
    {36000, 317},   {36360, 238},     {37440, 238},     {37800, 317},    {38160, 465},
    {38520, 502},   {39240, 148},     {39960, 465},     {40320, 502},    {40680, 148},
    {41400, 148},   {41760, 148},     {42120, 148},     {43200, 39347},  {86400, 64846},
    {103680, 3478}, {172800, 15337},  {432000, 4276},   {1209600, 5852}, {1296000, 730},
    {1814400, 830}, {2592000, 20885}, {8000640, 15359},
});

constexpr WorkloadParameter kParameters[] = {
    {"overwrite", 0.3, 0, 0.9, "share of writes that re-arm a live entry"},
    {"delete", 0.02, 0, 0.09, "entries deleted, for each write"},
    {"step", 1000, 1, 8.64e7, "the clock's step, in ms", ParameterUnit::kMilliseconds},
};

constexpr Time kTick = 1'000;             // ms
constexpr double kMsPerSecond = 1'000.0;  // The mixture counts seconds.

/// E[e^(-hazard ttl)] over the mixture: the share of entries that live to expire if each is
/// overwritten or deleted at this rate.
double share_that_expires(double hazard) {
  double sum = 0;
  double total = 0;
  for (const TtlShare& ttl : kMixture) {
    sum += ttl.millionths * det_exp(-hazard * ttl.seconds);
    total += ttl.millionths;
  }
  return sum / total;
}

/// The rate, per second and entry, at which entries end early if a share of `early` of them does.
double hazard_for(double early) {
  double low = 1e-12;  // Nobody overwrites anything for as long as the longest lives.
  double high = 1;     // Almost nothing lives for its second.
  for (int halving = 0; halving < 60; ++halving) {
    // In the middle of the logarithms, since the answer may be of any magnitude.
    const double middle = std::sqrt(low * high);
    (share_that_expires(middle) > 1 - early ? low : high) = middle;
  }
  return low;
}

class CacheTtl {
 public:
  explicit CacheTtl(const WorkloadRequest& request)
      : request_(request),
        overwritten_(parameter(request, "overwrite")),
        deleted_(parameter(request, "delete")),
        random_(request.seed),
        at_write_(weights([](const TtlShare&) { return 1.0; })),
        stream_(request.name, settings(request, kTick)),
        clock_(stream_, whole(parameter(request, "step"))) {}

  OpStream make() {
    preload();
    stream_.begin_timed();
    double time = random_.exponential(write_gap_);
    while (true) {
      const bool moved = clock_.advance_to(time, [&](JobNumber entry, Time) { end(entry); });
      if (moved && stream_.timed_operations() >= request_.min_ops) break;
      write(time);
      if (random_.chance(deleted_) && !live_.empty()) {
        const JobNumber entry = live_.pick(random_);
        stream_.cancel(entry);
        end(entry);
      }
      time += random_.exponential(write_gap_);
    }
    return std::move(stream_).finish();
  }

 private:
  template <class Factor>
  static std::vector<double> weights(Factor factor) {
    std::vector<double> weights;
    for (const TtlShare& ttl : kMixture) weights.push_back(ttl.millionths * factor(ttl));
    return weights;
  }

  /// Every write starts one life. Lives end by expiry or, at the same rate for every entry, early:
  /// by an overwrite or a delete, which are known shares of the writes. Both sides must be equal in
  /// a steady state, which determines that rate, and from it the rate of writes for N entries.
  void preload() {
    const double early = overwritten_ + deleted_;
    const double hazard = hazard_for(early);
    const auto mean_life = [hazard](const TtlShare& ttl) {
      return (1 - det_exp(-hazard * ttl.seconds)) / hazard;
    };
    const WeightedChoice when_met(weights(mean_life));
    write_gap_ = when_met.total() / at_write_.total() / static_cast<double>(request_.population) *
                 kMsPerSecond;

    struct Entry {
      double written;
      Time ttl;
    };
    std::vector<Entry> entries(request_.population);
    for (Entry& entry : entries) {
      const TtlShare& ttl = kMixture[when_met.draw(random_)];
      // The age of one that is still there: exponential, cut off at the time to live.
      const double reach = 1 - det_exp(-hazard * ttl.seconds);
      const double age = exponential_quantile(random_.uniform_open() * reach, 1 / hazard);
      entry = {-age * kMsPerSecond, in_ms(ttl)};
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.written < b.written; });
    for (const Entry& entry : entries) {
      const JobNumber job = stream_.acquire();
      live_.add(job);
      stream_.schedule(job, deadline_after(entry.written, entry.ttl, stream_));
    }
  }

  void write(double time) {
    JobNumber entry;
    if (random_.chance(overwritten_) && !live_.empty()) {
      entry = live_.pick(random_);
    } else {
      entry = stream_.acquire();
      live_.add(entry);
    }
    stream_.schedule(entry, whole(time) + in_ms(kMixture[at_write_.draw(random_)]));
  }

  void end(JobNumber entry) {
    live_.remove(entry);
    stream_.release(entry);
  }

  static Time in_ms(const TtlShare& ttl) { return whole(ttl.seconds * kMsPerSecond); }

  const WorkloadRequest& request_;
  double overwritten_;
  double deleted_;
  double write_gap_ = 0;  ///< Mean time from one write to the next, in ms.
  Random random_;
  WeightedChoice at_write_;
  StreamBuilder stream_;
  StepClock clock_;
  LiveJobs live_;
};

OpStream make_cache_ttl(const WorkloadRequest& request) { return CacheTtl(request).make(); }

}  // namespace

std::span<const TtlShare> twitter_ttl_mixture() { return kMixture; }

constinit const Workload kCacheTtl{
    .name = "cache_ttl",
    .summary = "expiry of cache entries: seconds to three months, as in Twitter's caches; 2/3 fire",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_cache_ttl,
};

}  // namespace timerbench::workloads
