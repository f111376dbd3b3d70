// The placement rule of aligned wheels, against digits that are written out.
#include "timerbench/aligned_digits.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace timerbench;

namespace {
constexpr std::uint32_t kMostBits = 16;

/// Ticks as lists of digits, lowest first; no shift and no mask in it.
class Plain {
 public:
  using Digits = std::vector<std::uint32_t>;

  explicit Plain(std::uint32_t wheel_size) : base_(wheel_size) {
    for (TickKey rest = kLastKey; rest != 0; rest /= base_) ++wheels_;
  }

  std::uint32_t wheels() const { return wheels_; }

  Digits digits(TickKey key) const {
    Digits digits(wheels_);
    for (std::uint32_t& digit : digits) {
      digit = static_cast<std::uint32_t>(key % base_);
      key /= base_;
    }
    return digits;
  }

  TickKey key(const Digits& digits) const {
    TickKey key = 0;
    for (std::size_t wheel = wheels_; wheel-- > 0;) key = key * base_ + digits[wheel];
    return key;
  }

  /// The highest digit in which two different keys differ.
  std::uint32_t wheel(TickKey a, TickKey b) const {
    const Digits of_a = digits(a);
    const Digits of_b = digits(b);
    std::uint32_t wheel = wheels_ - 1;
    while (of_a[wheel] == of_b[wheel]) --wheel;
    return wheel;
  }

  std::uint32_t slot(TickKey clock, TickKey key) const {
    const std::uint32_t in_wheel = wheel(clock, key);
    return in_wheel * base_ + digits(key)[in_wheel];
  }

  /// The key with zeros in all digits below its wheel's.
  TickKey begin(TickKey clock, TickKey key_in_slot) const {
    Digits of_key = digits(key_in_slot);
    const std::uint32_t in_wheel = wheel(clock, key_in_slot);
    std::fill(of_key.begin(), of_key.begin() + in_wheel, 0u);
    return key(of_key);
  }

 private:
  std::uint32_t base_;
  std::uint32_t wheels_ = 0;
};

/// Keys where something changes: near 0, the last and tick 0, and near sums of few powers of the
/// wheel size.
class Keys {
 public:
  Keys(std::uint32_t bits, std::uint64_t seed) : bits_(bits), random_(seed) {}

  TickKey any() {
    const TickKey offset = random_() % 5 - 2;  // -2 ... 2, wrapping on purpose.
    switch (random_() % 6) {
      case 0: return offset;
      case 1: return (TickKey{1} << 63) + offset;
      case 2: return boundary() + offset;
      case 3: return boundary() + boundary() + offset;
      case 4: return kLastKey - boundary() + offset;
      default: return random_() >> random_() % 64;
    }
  }

  /// Often a little after `clock`, or next to where a digit of the clock turns.
  TickKey near(TickKey clock) {
    TickKey key = clock;
    switch (random_() % 4) {
      case 0: key = clock + boundary() + random_() % 3 - 1; break;
      case 1: {
        const std::uint32_t shift = power();
        key = ((clock >> shift) + 1) << shift;
        key += random_() % 3 - 1;
        break;
      }
      case 2: key = clock ^ (TickKey{1} << random_() % 64); break;
      default: key = any();
    }
    return key;  // Additions wrap; the caller puts the two in order.
  }

 private:
  std::uint32_t power() {
    return static_cast<std::uint32_t>(random_() % ((64 + bits_ - 1) / bits_)) * bits_;
  }
  TickKey boundary() { return TickKey{1} << power(); }

  std::uint32_t bits_;
  std::mt19937_64 random_;
};

/// The slots that are ahead of the clock and begin at a key that exists, by number.
std::vector<std::uint32_t> slots_ahead(const Plain& plain, const AlignedDigits& digits,
                                       std::uint32_t wheel_size) {
  const Plain::Digits clock = plain.digits(digits.clock());
  const Plain::Digits last = plain.digits(kLastKey);
  std::vector<std::uint32_t> ahead;
  for (std::uint32_t wheel = 0; wheel < plain.wheels(); ++wheel) {
    for (std::uint32_t digit = clock[wheel] + 1; digit <= last[wheel]; ++digit) {
      ahead.push_back(wheel * wheel_size + digit);
    }
  }
  return ahead;
}
}  // namespace

TEST_CASE("a key's wheel, slot and begin are those of its highest new digit") {
  for (std::uint32_t bits = 1; bits <= kMostBits; ++bits) {
    const std::uint32_t wheel_size = std::uint32_t{1} << bits;
    const Plain plain(wheel_size);
    const std::uint64_t seed = 40 + bits;
    INFO("bits " << bits << ", seed " << seed);
    Keys keys(bits, seed);
    AlignedDigits digits(wheel_size, 0);
    REQUIRE(digits.wheels() == plain.wheels());
    REQUIRE(digits.slots() == plain.wheels() * wheel_size);
    for (int round = 0; round < 3000; ++round) {
      TickKey clock = keys.any();
      TickKey key = keys.near(clock);
      if (key < clock) std::swap(key, clock);
      if (key == clock) continue;
      INFO("clock " << clock << ", key " << key);
      digits.set_clock(clock);
      REQUIRE(digits.clock() == clock);
      const std::uint32_t slot = digits.slot_for(key);
      REQUIRE(slot == plain.slot(clock, key));
      REQUIRE(digits.begin_of(slot) == plain.begin(clock, key));
      REQUIRE(digits.is_finest(slot) == (plain.wheel(clock, key) == 0));
      REQUIRE(digits.belongs(key, slot));
      // Of other keys after the clock only those that would be placed there belong.
      for (const TickKey other : {key - 1, key + 1, digits.begin_of(slot) - 1, keys.any()}) {
        if (other <= clock) continue;
        INFO("other " << other);
        REQUIRE(digits.belongs(other, slot) == (plain.slot(clock, other) == slot));
      }
    }
  }
}

TEST_CASE("the slots ahead, by number, are all the time after the clock, without gap or overlap") {
  for (std::uint32_t bits = 1; bits <= kMostBits; ++bits) {
    const std::uint32_t wheel_size = std::uint32_t{1} << bits;
    const Plain plain(wheel_size);
    const std::uint64_t seed = 70 + bits;
    Keys keys(bits, seed);
    std::vector<TickKey> clocks{0, 1, kLastKey - 1, TickKey{1} << 63, (TickKey{1} << 63) - 1};
    while (clocks.size() < (bits > 10 ? 6 : 40)) clocks.push_back(keys.any());
    for (const TickKey clock : clocks) {
      if (clock == kLastKey) continue;
      INFO("bits " << bits << ", seed " << seed << ", clock " << clock);
      const AlignedDigits digits(wheel_size, clock);
      const std::vector<std::uint32_t> ahead = slots_ahead(plain, digits, wheel_size);
      REQUIRE_FALSE(ahead.empty());
      REQUIRE(digits.begin_of(ahead.front()) == clock + 1);
      for (std::size_t i = 0; i < ahead.size(); ++i) {
        const std::uint32_t slot = ahead[i];
        const TickKey begin = digits.begin_of(slot);
        const TickKey last =
            i + 1 < ahead.size() ? digits.begin_of(ahead[i + 1]) - 1 : kLastKey;
        // Without Catch's macros: there are a quarter of a million of them.
        if (begin > last || digits.slot_for(begin) != slot || digits.slot_for(last) != slot) {
          FAIL("slot " << slot << " from " << begin << " to " << last);
        }
        if (!digits.belongs(begin, slot) || !digits.belongs(last, slot) ||
            (begin - 1 > clock && digits.belongs(begin - 1, slot)) ||
            (last != kLastKey && digits.belongs(last + 1, slot))) {
          FAIL("what belongs into slot " << slot << " from " << begin << " to " << last);
        }
      }
    }
  }
}

TEST_CASE("the wheel of a highest bit is exact though it is not divided") {
  for (std::uint32_t bits = 1; bits <= kMostBits; ++bits) {
    const std::uint32_t wheel_size = std::uint32_t{1} << bits;
    const AlignedDigits digits(wheel_size, 0);
    for (std::uint32_t highest = 0; highest < 64; ++highest) {
      INFO("bits " << bits << ", highest bit " << highest);
      const TickKey least = TickKey{1} << highest;
      const TickKey most = least - 1 + least;
      CHECK(digits.slot_for(least) / wheel_size == highest / bits);
      CHECK(digits.slot_for(most) / wheel_size == highest / bits);
    }
  }
}

TEST_CASE("keys order as ticks do, and lead back to them") {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> ticks{kLeast, kLeast + 1, -2, -1, 0, 1, 2, kMost - 1, kMost};
  CHECK(key_of(Tick{kLeast}) == 0);
  CHECK(key_of(Tick{kMost}) == kLastKey);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    CHECK(tick_of(key_of(Tick{ticks[i]})).number == ticks[i]);
    if (i > 0) CHECK(key_of(Tick{ticks[i - 1]}) < key_of(Tick{ticks[i]}));
  }
}
