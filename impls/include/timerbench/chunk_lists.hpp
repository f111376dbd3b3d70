// A wheel's slots as lists of chunks: each chunk is one cache line with the indexes of thirteen jobs.
//
// A linked list of jobs is walked one miss at a time, because where the next job is stands in this
// one. A chunk tells thirteen ahead, so that their nodes are fetched together: firing and cascading a
// crowded slot costs a fraction. Removal stays exact: the node knows its place in a chunk, a
// tombstone takes it, and a chunk without live jobs leaves its list.
//
// A job alone in its slot needs no chunk: the slot holds it itself. So few jobs in many slots cost
// no more than linked slots, and the first company moves both into a chunk.
//
// Memory: 8 bytes and a bit a slot; 64 bytes a chunk, shared by up to thirteen jobs, at worst one;
// an 8-byte hook. Freed chunks are kept for reuse, so nothing is allocated in steady state.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "timerbench/job_pool.hpp"
#include "timerbench/line_allocator.hpp"
#include "timerbench/occupancy.hpp"

namespace timerbench {

/// A wheel's part of a node: where the job's entry is.
struct ChunkHook {
  std::uint32_t entry = 0;               ///< chunk * 16 + position, or kAlone.
  std::uint32_t slot = Occupancy::kNone;  ///< Which slot; kNone in a new node.
};

/// What erase() does with a chunk.
enum class ChunkRemoval {
  kExact,  ///< Counts its live jobs, and frees it with the last of them.
  kBury,   ///< Leaves a tombstone without a look: a store that nothing waits for, where counting
           ///< would wait for a line that is rarely in the cache. take() tells how many there were.
};

/// The slots of a wheel; the same face as SlotLists. Jobs leave a slot in the order in which they
/// came. All operations are O(1), amortised where a chunk is made, but take() and
/// check_invariants().
template <class Pool, ChunkRemoval kRemoval = ChunkRemoval::kExact>
class ChunkLists {
 public:
  explicit ChunkLists(std::uint32_t slots) : slots_(slots), occupied_(slots) {}

  void append(Pool& pool, std::uint32_t slot, JobIndex job) {
    Slot& list = slots_[slot];
    if (list.last == kNone) {
      if (list.first == kNoJob) {
        list.first = job;
        pool.hook(job) = {.entry = kAlone, .slot = slot};
        occupied_.set(slot);
        return;
      }
      move_into_chunk(pool, slot);
    }
    std::uint32_t chunk = list.last;
    if (chunks_[chunk].used == kJobsPerChunk) {
      const std::uint32_t full = chunk;
      chunk = new_chunk(full);
      chunks_[full].next = chunk;
      slots_[slot].last = chunk;
    }
    add_to(pool, slot, chunk, job);
  }

  /// The slot that the job waits in.
  std::uint32_t slot_of(const Pool& pool, JobIndex job) const { return pool.hook(job).slot; }

  /// Returns whether a tombstone stays that take() will count.
  bool erase(Pool& pool, JobIndex job) {
    const auto [entry, slot] = pool.hook(job);
    if (entry == kAlone) {
      slots_[slot] = Slot{};
      occupied_.reset(slot);
      return false;
    }
    Chunk& chunk = chunks_[entry / kStride];
    chunk.jobs[entry % kStride] = kNoJob;
    if constexpr (kRemoval == ChunkRemoval::kBury) return true;
    if (--chunk.live == 0) unlink(entry / kStride, slot);
    return false;
  }

  /// Empties the slot and calls visit(job) for each job it held, in order. visit may append jobs,
  /// even to this slot. Returns how many tombstones there were.
  template <class Visit>
  std::size_t take(Pool& pool, std::uint32_t slot, Visit visit) {
    const Slot list = std::exchange(slots_[slot], Slot{});
    if (list.first == kNone) return 0;
    occupied_.reset(slot);
    if (list.last == kNone) {
      visit(list.first);
      return 0;
    }
    std::size_t tombstones = 0;
    prefetch_jobs_of(pool, list.first);
    for (std::uint32_t chunk = list.first; chunk != kNone;) {
      const std::uint32_t next = chunks_[chunk].next;
      // The nodes of the next chunk arrive while this one's jobs are dealt with.
      if (next != kNone) prefetch_jobs_of(pool, next);
      // By value: visit may make chunks, which moves them, and this one is free from here on.
      const std::array<JobIndex, kJobsPerChunk> jobs = chunks_[chunk].jobs;
      const std::uint32_t used = chunks_[chunk].used;
      free_chunk(chunk);
      for (std::uint32_t position = 0; position < used; ++position) {
        if (jobs[position] != kNoJob) {
          visit(jobs[position]);
        } else {
          ++tombstones;
        }
      }
      chunk = next;
    }
    return tombstones;
  }

  /// Calls visit(job) for each job of the slot, in order.
  template <class Visit>
  void for_each(const Pool&, std::uint32_t slot, Visit visit) const {
    const Slot& list = slots_[slot];
    if (list.last == kNone) {
      if (list.first != kNone) visit(list.first);
      return;
    }
    for (std::uint32_t chunk = list.first; chunk != kNone; chunk = chunks_[chunk].next) {
      for (std::uint32_t position = 0; position < chunks_[chunk].used; ++position) {
        if (chunks_[chunk].jobs[position] != kNoJob) visit(chunks_[chunk].jobs[position]);
      }
    }
  }

  /// The job of a slot that holds just one outside of chunks, else kNoJob.
  JobIndex lone(std::uint32_t slot) const {
    return slots_[slot].last == kNone ? slots_[slot].first : kNoJob;
  }

  const Occupancy& occupied() const { return occupied_; }

  /// Tombstones in all slots. Complexity: O(everything), for checks.
  std::size_t tombstones() const {
    std::size_t count = 0;
    for (const Slot& list : slots_) {
      if (list.last == kNone) continue;
      for (std::uint32_t chunk = list.first; chunk != kNone; chunk = chunks_[chunk].next) {
        const auto& jobs = chunks_[chunk].jobs;
        count += static_cast<std::size_t>(
            std::count(jobs.begin(), jobs.begin() + chunks_[chunk].used, kNoJob));
      }
    }
    return count;
  }

  /// Throws std::logic_error unless chunks, hooks and bitmap agree; check(slot, job) judges each
  /// job.
  template <class Check>
  void check_invariants(const Pool& pool, Check check) const {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      const Slot& list = slots_[slot];
      if (occupied_.test(slot) != (list.first != kNone)) {
        throw std::logic_error("C1: a slot's bit is set if and only if it holds a job");
      }
      if (list.first != kNone && list.last != kNone) check_chunks(pool, slot);
      for_each(pool, slot, [&](JobIndex job) {
        if (slot_of(pool, job) != slot) throw std::logic_error("C2: a job knows its slot");
        check(slot, job);
      });
    }
  }

 private:
  static constexpr std::uint32_t kNone = kNoJob;  ///< No chunk, as no job.
  static constexpr std::uint32_t kJobsPerChunk = 13;
  static constexpr std::uint32_t kStride =
      16;  ///< Entries are numbered in steps that shifts divide.
  static constexpr std::uint32_t kAlone = ~std::uint32_t{0};  ///< The entry is the slot itself.

  struct Chunk {
    std::array<JobIndex, kJobsPerChunk> jobs;  ///< kNoJob: a tombstone.
    std::uint32_t next;  ///< Later in the slot, or kNone; next on the free list.
    std::uint32_t previous;
    std::uint16_t used;  ///< Positions below are jobs or tombstones.
    std::uint16_t live;  ///< Of them, jobs; counted where removal is exact.
  };
  static_assert(sizeof(Chunk) == kCacheLine);

  static constexpr std::uint32_t kMostChunks = kAlone / kStride;

  /// Empty: both kNone. One job: `first` is it. More: the first and the last chunk.
  struct Slot {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  void add_to(Pool& pool, std::uint32_t slot, std::uint32_t index, JobIndex job) {
    Chunk& chunk = chunks_[index];
    pool.hook(job) = {.entry = index * kStride + chunk.used, .slot = slot};
    chunk.jobs[chunk.used++] = job;
    ++chunk.live;
  }

  void move_into_chunk(Pool& pool, std::uint32_t slot) {
    const JobIndex alone = slots_[slot].first;
    const std::uint32_t chunk = new_chunk(kNone);
    slots_[slot] = {chunk, chunk};
    add_to(pool, slot, chunk, alone);
  }

  std::uint32_t new_chunk(std::uint32_t previous) {
    std::uint32_t index = first_free_;
    if (index == kNone) {
      if (chunks_.size() >= kMostChunks) throw_limit("chunks of a wheel", kMostChunks);
      index = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    } else {
      first_free_ = chunks_[index].next;
    }
    Chunk& chunk = chunks_[index];
    chunk.next = kNone;
    chunk.previous = previous;
    chunk.used = 0;
    chunk.live = 0;
    return index;
  }

  void free_chunk(std::uint32_t index) {
    chunks_[index].next = first_free_;
    first_free_ = index;
  }

  /// Takes a chunk without live jobs out of its slot.
  void unlink(std::uint32_t index, std::uint32_t slot) {
    const Chunk& chunk = chunks_[index];
    Slot& list = slots_[slot];
    if (chunk.previous == kNone) {
      list.first = chunk.next;
    } else {
      chunks_[chunk.previous].next = chunk.next;
    }
    if (chunk.next == kNone) {
      list.last = chunk.previous;
    } else {
      chunks_[chunk.next].previous = chunk.previous;
    }
    if (list.first == kNone) occupied_.reset(slot);
    free_chunk(index);
  }

  void prefetch_jobs_of(const Pool& pool, std::uint32_t chunk) const {
    if (chunks_[chunk].next != kNone) __builtin_prefetch(&chunks_[chunks_[chunk].next]);
    for (std::uint32_t position = 0; position < chunks_[chunk].used; ++position) {
      pool.prefetch(chunks_[chunk].jobs[position]);
    }
  }

  void check_chunks(const Pool& pool, std::uint32_t slot) const {
    std::uint32_t previous = kNone;
    for (std::uint32_t index = slots_[slot].first; index != kNone; index = chunks_[index].next) {
      const Chunk& chunk = chunks_[index];
      if (chunk.previous != previous) throw std::logic_error("C3: chunks link both ways");
      std::uint32_t live = 0;
      for (std::uint32_t position = 0; position < chunk.used; ++position) {
        if (chunk.jobs[position] == kNoJob) continue;
        ++live;
        if (pool.hook(chunk.jobs[position]).entry != index * kStride + position) {
          throw std::logic_error("C4: a job knows its entry");
        }
      }
      if (kRemoval == ChunkRemoval::kExact && (live == 0 || live != chunk.live))
        throw std::logic_error("C5: a chunk counts its live jobs");
      previous = index;
    }
    if (slots_[slot].last != previous)
      throw std::logic_error("C6: the last chunk is the list's end");
  }

  std::vector<Slot> slots_;
  Occupancy occupied_;
  std::vector<Chunk, LineAllocator<Chunk>> chunks_;
  std::uint32_t first_free_ = kNone;
};

/// Names these ways of keeping slots, for wheels that can use several.
struct ChunkedSlots {
  using Hook = ChunkHook;
  template <class Pool>
  using Lists = ChunkLists<Pool>;
};
struct BuryingSlots {
  using Hook = ChunkHook;
  template <class Pool>
  using Lists = ChunkLists<Pool, ChunkRemoval::kBury>;
};

}  // namespace timerbench
