/* Random races of Ave Caesar on one course without variants, with counts, written by hand: what C reaches.
   run() plays the same races as quadriga.engine.kernels.drivers.measure and adds up the same numbers. It does
   not follow what the players know of each other's hands. */
#include "twin.h"

enum { SEATS = 6, LAPS = 3, WINDOW = 40, FULL = 0x444444, RACING = 0, FINISHED = 1, OUT = 2 };
static const int REWARDS[6] = {6, 4, 3, 2, 1, 0};

typedef struct {
  int64_t seats, spaces, gate, window, laps;
  int64_t entrance;
  const int64_t *steps, *keeping;
  const int8_t *rank, *alley, *start;
} course;

typedef struct {
  int hand, deck, space, lap, coin, dishonoured, status, finish;
} chariot;

static const course *t;
static chariot car[SEATS];
static int finishers, begun, free_turn;

static inline int number(int cards, int value) { return cards >> (4 * value - 4) & 15; }
static inline int one(int value) { return 1 << (4 * value - 4); }
static inline int size(int cards) {
  int pairs = (cards & 0x0F0F0F) + (cards >> 4 & 0x0F0F0F);
  return (pairs + (pairs >> 8) + (pairs >> 16)) & 0xFF;
}
static inline int values(int cards) {
  int found = 0;
  for (int v = 1; v <= 6; v++) found |= (number(cards, v) != 0) << v;
  return found;
}
static inline int only_sixes(int cards) { return cards && !(cards & ~0xF00000); }

static inline int drawn(int cards) {
  int left = below(size(cards)), value = 1;
  while (left >= number(cards, value)) left -= number(cards, value++);
  return value;
}
static inline void take(chariot *c) {
  int value = drawn(c->deck);
  c->hand += one(value);
  c->deck -= one(value);
}

static inline int64_t taken(int seat) {
  int64_t found = 0;
  for (int other = 0; other < t->seats; other++)
    if (other != seat && car[other].status == RACING) {
      int ahead = car[other].space - car[seat].space;
      if (ahead < 0) ahead += t->spaces;
      if (ahead <= t->window) found |= 1ll << ahead;
    }
  return found;
}
static inline int64_t onward(int here, int64_t layer, int64_t blocked, int enter) {
  int64_t following = 0;
  for (; layer; layer &= layer - 1) {
    int ahead = lowest(layer), space = here + ahead;
    if (space >= t->spaces) space -= t->spaces;
    int64_t leads = t->steps[space];
    if (enter && space == t->gate) leads |= t->entrance;
    following |= leads << ahead;
  }
  return following & ~blocked;
}
static inline int leads(int seat) {
  if (finishers) return 0;
  int mine = (car[seat].lap << 8) + t->rank[car[seat].space];
  for (int other = 0; other < t->seats; other++)
    if (car[other].status == RACING && (car[other].lap << 8) + t->rank[car[other].space] > mine) return 0;
  return 1;
}
static int closed_space(int group, int space) {
  for (int seat = 0; seat < t->seats; seat++)
    if (group >> seat & 1 && car[seat].space == space) return 1;
  return 0;
}
static int can_pass(int seat, int group, int lap, int rank) {
  int space = car[seat].space, driven = car[seat].lap;
  for (int64_t window = 1; window;) {
    if (window & 1 && !closed_space(group, space)) {
      if (driven > lap || (driven == lap && t->rank[space] > rank)) return 1;
      window |= t->steps[space];
      if (space == t->gate && car[seat].coin && (driven == 1 || driven == 2)) window |= t->entrance;
    }
    window >>= 1;
    if (++space == t->spaces) {
      space = 0;
      if (++driven > t->laps) return window != 0;
    }
  }
  return 0;
}
static int cannot_be_passed(int seat) {
  int group = 0, lap = car[seat].lap, rank = t->rank[car[seat].space];
  for (int other = 0; other < t->seats; other++)
    group |= (car[other].status == RACING && only_sixes(car[other].hand) && leads(other)) << other;
  for (int other = 0; other < t->seats; other++)
    if (car[other].status == RACING && !(group >> other & 1) && can_pass(other, group, lap, rank)) return 0;
  return 1;
}

/* Writes the moves of a seat as 64 times the card less 1, plus the distance or 0 for the finish. */
static int legal(int seat, int *out) {
  chariot *c = car + seat;
  int held = values(c->hand), n = 0, over = 0;
  if (held >> 6 && begun && !free_turn && leads(seat) && !(only_sixes(c->hand) && cannot_be_passed(seat))) held &= 63;
  int64_t allowed = -1, layer = 1, blocked = taken(seat), past;
  int enter = c->coin && (c->lap == 1 || c->lap == 2), ahead = t->spaces - c->space;
  past = ahead > t->window ? 0 : ((1ll << (t->window + 1)) - 1) & ~((1ll << ahead) - 1);
  if (c->coin && c->lap == 2) {
    int64_t kept = t->keeping[c->space], open = 1;
    for (int card = 1; card <= 6 && open; card++) {
      open = onward(c->space, open, 0, 1);
      if (held >> card & 1 && open & kept) {
        allowed = kept;
        break;
      }
    }
  }
  for (int card = 1; card <= 6; card++) {
    layer = onward(c->space, layer, blocked, enter);
    if (c->lap == t->laps && layer & past) {
      over = 1;
      layer &= ~past;
    }
    if (held >> card & 1) {
      if (over) out[n++] = (card - 1) * 64;
      for (int64_t to = layer & allowed; to; to &= to - 1) out[n++] = (card - 1) * 64 + lowest(to);
    }
  }
  return n;
}

static int racing(void) {
  int found = 0;
  for (int seat = 0; seat < t->seats; seat++) found |= (car[seat].status == RACING) << seat;
  return found;
}

/* Adds decisions, draws, finishes, missed turns, dishonoured chariots, wrecks and the points by seat to out. */
void run(const course *given, int64_t seed, int64_t first, int64_t games, int64_t *out) {
  static int moves[256];
  t = given;
  for (int64_t game = first; game < first + games; game++) {
    start(seed, game);
    int cutters = (1 << t->seats) - 1, cut[SEATS];
    while (cutters & (cutters - 1)) {
      int best = 0, tied = 0;
      for (int seat = 0; seat < t->seats; seat++)
        if (cutters >> seat & 1) {
          cut[seat] = drawn(FULL);
          out[1]++;
          if (cut[seat] > best) best = cut[seat], tied = 0;
          if (cut[seat] == best) tied |= 1 << seat;
        }
      cutters = tied;
    }
    int order[SEATS], at = t->seats - 1, misses = 0, lifted = 0;
    for (int place = 0; place < t->seats; place++) {
      int seat = order[place] = (lowest(cutters) + place) % t->seats;
      car[seat] = (chariot){0, FULL, t->start[place], 0, 1, 0, RACING, 0};
    }
    finishers = begun = free_turn = 0;
    for (int seat = 0; seat < t->seats; seat++)
      for (int i = 0; i < 3; i++) take(car + seat), out[1]++;
    for (int left = racing(); left; left = racing()) {
      do at = (at + 1) % t->seats; while (car[order[at]].status != RACING);
      int seat = order[at];
      chariot *c = car + seat;
      free_turn = lifted >> seat & 1;
      lifted &= ~(1 << seat);
      int n = legal(seat, moves);
      if (!n) {
        out[3]++;
        if (++misses == 2 * count(left)) break;
        if (misses == count(left)) lifted = left;
        continue;
      }
      int action = moves[below(n)], ahead = action & 63;
      out[0]++;
      c->hand -= one(action / 64 + 1);
      begun = 1;
      misses = 0;
      if (!ahead) {
        c->finish = ++finishers;
        c->status = FINISHED;
        out[2]++;
        continue;
      }
      int space = c->space + ahead, crossing = space >= t->spaces;
      if (crossing) space -= t->spaces, c->lap++;
      c->space = space;
      if (t->alley[space]) c->coin = 0;
      else if (crossing && c->lap == t->laps && c->coin) c->dishonoured = 1, out[4]++;
      if (c->deck) take(c), out[1]++;
      else if (!c->hand) c->status = OUT;
    }
    for (int place = 1, honoured = 0; place <= finishers; place++)
      for (int seat = 0; seat < t->seats; seat++)
        if (car[seat].finish == place && !car[seat].dishonoured) out[6 + seat] += REWARDS[honoured++];
  }
}
