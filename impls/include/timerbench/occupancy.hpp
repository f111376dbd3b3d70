// A bitmap of the slots in use, which is how a wheel jumps over empty ones.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace timerbench {

/// Which slots hold jobs, so that empty ones are crossed 64 at a time, or not looked at: above the
/// slots' bits stand layers of bits that say which words below them are not zero.
class Occupancy {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit Occupancy(std::uint32_t slots) : slots_(slots) {
    std::size_t words = 0;
    std::uint32_t bits = slots;
    do {
      bits = (bits + 63) / 64;
      layers_[depth_++] = words;
      words += bits;
    } while (bits > 1);
    words_.resize(words);
  }

  void set(std::uint32_t slot) {
    for (std::size_t layer = 0; layer < depth_; ++layer) {
      std::uint64_t& word = words_[layers_[layer] + slot / 64];
      const bool was_known = word != 0;
      word |= bit(slot);
      if (was_known) return;
      slot /= 64;
    }
  }

  void reset(std::uint32_t slot) {
    for (std::size_t layer = 0; layer < depth_; ++layer) {
      std::uint64_t& word = words_[layers_[layer] + slot / 64];
      word &= ~bit(slot);
      if (word != 0) return;
      slot /= 64;
    }
  }

  /// The first slot in use, or kNone. Looks into one word a layer.
  std::uint32_t first() const {
    if (words_.back() == 0) return kNone;
    std::uint32_t slot = 0;
    for (std::size_t layer = depth_; layer-- > 0;) {
      const std::uint64_t word = words_[layers_[layer] + slot];
      slot = slot * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
    }
    return slot;
  }

  bool test(std::uint32_t slot) const { return (words_[slot / 64] & bit(slot)) != 0; }

  /// How many slots after `slot`, going round, the next one in use lies: 1 ... limit, or kNone if
  /// it lies further. `limit < slots`, so `slot` itself does not count. Looks into at most limit /
  /// 64 + 3 words, and tells `work`.
  template <class Work>
  std::uint32_t distance_to_next(std::uint32_t slot, std::uint32_t limit, Work& work) const {
    const std::uint32_t to_first = slots_ - slot;  // The distance of slot 0, one turn on.
    const std::uint32_t ahead = find(slot + 1, std::min(slots_, slot + 1 + limit), work);
    if (ahead != kNone) return ahead - slot;
    if (limit < to_first) return kNone;
    const std::uint32_t around = find(0, limit - to_first + 1, work);
    return around == kNone ? kNone : around + to_first;
  }

  /// The first slot in use in [begin, end), or kNone.
  template <class Work>
  std::uint32_t find(std::uint32_t begin, std::uint32_t end, Work& work) const {
    if (begin >= end) return kNone;
    std::uint32_t word = begin / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (begin % 64));
    while (true) {
      work.slot_visited();
      if (bits != 0) {
        const std::uint32_t slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
        return slot < end ? slot : kNone;
      }
      if (++word * 64 >= end) return kNone;
      bits = words_[word];
    }
  }

 private:
  static std::uint64_t bit(std::uint32_t slot) { return std::uint64_t{1} << (slot % 64); }

  /// 64^6 is more than 32 bits can number.
  static constexpr std::size_t kMostLayers = 6;

  std::uint32_t slots_;
  std::size_t depth_ = 0;
  std::array<std::size_t, kMostLayers> layers_{};  ///< Where each layer begins, the slots' first.
  std::vector<std::uint64_t> words_;
};

}  // namespace timerbench
