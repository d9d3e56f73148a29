/* Windows and cards of Ben Hvrt. A card that is answered waits in the call that plays it. */
#include "ben_state.h"

enum { WAYS = 2 * SEATS, PLAYS = WAYS * KINDS };

static inline int about(int window, int target) { return window == PB ? target : mover; }
static inline int present(int window) { return window == AU ? entered : racing; }
static inline int needs_driver(int kind) {
  return t->op[OPERATIONS * kind] == OP_RETIRE && !t->op[OPERATIONS * kind + 1];
}
static int namable(int seat, int kind, int window) {
  int found = present(window);
  if (t->takes[kind] == RIVAL) found &= ~(1 << seat);
  if (needs_driver(kind))
    for (int c = 0; c < seats; c++)
      if (who[c].driver < 0) found &= ~(1 << c);
  return found;
}
static int poachable(int seat, int window, int target) {
  int found = 0, set = window == PB || window == PA ? 1 << about(window, target) : present(window);
  for (set &= ~(1 << seat); set; set &= set - 1) {
    int kind = who[lowest(set)].driver;
    if (kind >= 0 && t->price[kind] <= who[seat].purse) found |= set & -set;
  }
  return found;
}
static inline int playable(int seat, int kind, int window, int target) {
  uint64_t bit = 1ull << kind;
  if ((window == PB || window == PA) && fitted(about(window, target), OP_SHIELD)) return 0;
  if (doing[OP_DRAW] & bit && !cards) return 0;
  if (doing[OP_WAGER] & bit && begun) return 0;
  if (doing[OP_POACH] & bit && !poachable(seat, window, target)) return 0;
  if (t->takes[kind] == CHARIOT || t->takes[kind] == RIVAL) return namable(seat, kind, window) != 0;
  return !needs_driver(kind) || who[about(window, target)].driver >= 0;
}

/* Writes the cards that a player can play in a window, each with every way, from index n on. */
static int list_plays(int seat, int window, int target, int *out, int n) {
  for (uint64_t kinds = who[seat].hand & in_window[window]; kinds; kinds &= kinds - 1) {
    int kind = lowest(kinds), takes = t->takes[kind], base = WAYS * kind, set;
    if (!playable(seat, kind, window, target)) continue;
    if (takes == NOTHING) out[n++] = base;
    else if (takes == VALUE)
      for (int value = 1; value <= 6; value++) out[n++] = base + value;
    else if (takes == PAIR)
      for (set = present(window) >> seat & 1 ? poachable(seat, window, 0) : 0; set; set &= set - 1)
        out[n++] = base + 2 * lowest(set);
    else
      for (set = namable(seat, kind, window); set; set &= set - 1) out[n++] = base + lowest(set);
  }
  return n;
}

static inline int can_use(int seat, int window) {
  int kind = who[mover].driver;
  if (window == BM || window == RE || mover != seat || kind < 0 || t->window[kind] != window || driver_acted) return 0;
  return t->per[kind] == PER_MOVE || who[mover].driver_used != lap_of(who + mover);
}
static void use_driver(int target) {
  player *p = who + mover;
  int kind = p->driver, first = OPERATIONS * kind, number = t->one[first];
  driver_acted = 1;
  if (t->per[kind] != PER_MOVE) p->driver_used = lap_of(p);
  switch (t->op[first]) {
    case OP_CHOOSE_ROLL: p->next_roll = number; break;
    case OP_TWO_DICE: two_dice = 1; break;
    case OP_SLOW: who[target].speed = limited(who[target].speed - number); break;
    case OP_SKIM:
      roll -= number;
      if (pot >= t->two[first]) pot -= t->two[first], p->purse += t->two[first];
  }
}

static void play(int seat, int kind, int way, int window, int target, int *answered);

/* Asks the players in turn from a seat on, or this seat alone, until all have passed in a row. `vetoed` is about the
   card of `player` that window RE answers. */
static void ask(int window, int seat, int target, int *vetoed, int player) {
  int all = window == RO || window == BM || window == RE, rounds = all ? seats : 1;
  int set = racing ? racing : entered, out[PLAYS];
  for (int passes = 0; passes < rounds;) {
    if (vetoed ? *vetoed : halted && (window == PA || window == PB)) return;
    int asked = seat;
    if (all) seat = next(seat);
    passes++;
    if (!(set >> asked & 1) || asked == player) continue;
    int use = can_use(asked, window);
    if (!use && !(who[asked].hand & in_window[window])) continue;
    int n = list_plays(asked, window, target, out, 1);
    if (n + use == 1) continue;
    int choice = decide(n + use);
    if (!choice) continue;
    passes = 0;
    if (choice == n) use_driver(target);
    else play(asked, out[choice] / WAYS, out[choice] % WAYS, window, target, vetoed);
  }
}
/* Opens a window unless no card and no Driver is for it. */
static inline void open_to(int window, int seat, int target) {
  int kind = who[mover].driver;
  if (who[seat].hand & in_window[window] || (kind >= 0 && t->window[kind] == window)) ask(window, seat, target, 0, -1);
}
static inline uint64_t all_hands(void) {
  uint64_t kinds = 0;
  for (int seat = 0; seat < seats; seat++) kinds |= who[seat].hand;
  return kinds;
}
static inline void open_to_all(int window, int seat) {
  int kind = who[mover].driver;
  if (all_hands() & in_window[window] || (kind >= 0 && t->window[kind] == window)) ask(window, seat, 0, 0, -1);
}

static void shift(int c, int left) {
  for (player *p = who + c; left; left--) {
    const space *here = board + p->square;
    int to[3 + SIDES], n = 1;
    if (!here->last && !is_taken(here->ahead)) to[n++] = here->ahead;
    if (!board[here->behind].last && !is_taken(here->behind)) to[n++] = here->behind;
    for (int i = 0; i < here->sides; i++)
      if (!is_taken(here->beside[i])) to[n++] = here->beside[i];
    int choice = decide(n);
    if (!choice) return;
    put_on(p, to[choice]);
  }
}
static void retire(int c) {
  if (who[c].driver < 0) return;
  if (fitted(c, OP_STUBBORN) && !who[c].shaken) who[c].shaken = 1;
  else dismiss(c);
}
static void poach(int seat, int theirs) {
  int kind = who[theirs].driver;
  if (kind < 0 || who[seat].purse < t->price[kind]) return;
  who[seat].purse -= t->price[kind];
  who[theirs].purse += t->price[kind];
  who[theirs].driver = -1;
  who[theirs].fitted &= ~(1ull << kind);
  if (who[seat].driver >= 0) dismiss(seat);
  hire(seat, kind);
}

static void play(int seat, int kind, int way, int window, int target, int *answered) {
  int vetoed = 0, c = t->takes[kind] == CHARIOT ? way : about(window, target);
  lose(who + seat, kind);
  discard[kind]++;
  plays++;
  vetoes += doing[OP_CANCEL] >> kind & 1;
  if (all_hands() & in_window[RE]) ask(RE, priority, 0, &vetoed, seat);
  if (vetoed) return;
  if (t->type[kind] == MOVE && !calmed && seat != mover && fitted(mover, OP_CALM)) {
    calmed = 1;
    return;
  }
  for (int i = OPERATIONS * kind, end = i + OPERATIONS; i < end && t->op[i]; i++) {
    int number = t->one[i];
    switch (t->op[i]) {
      case OP_ADD: roll += number; break;
      case OP_SET: roll = number; break;
      case OP_AGAIN: roll = counts_as(mover, die()); break;
      case OP_HALT: halted = 1; break;
      case OP_SHIFT: shift(c, number); break;
      case OP_RETIRE: retire(c); break;
      case OP_SLOW_TO: who[c].speed = limited(number); break;
      case OP_CHOOSE: who[c].next_roll = way; break;
      case OP_HASTEN: who[c].speed = limited(who[c].speed + number); break;
      case OP_NEXT_ROLL: who[c].next_roll = number; break;
      case OP_CANCEL: *answered = 1; break;
      case OP_DRAW: draw_cards(who + seat, amount(kind, OP_DRAW)); break;
      case OP_POACH: poach(seat, window == PA ? mover : window == PB ? target : way / 2); break;
      case OP_WAGER: who[seat].stake[way] += number;
    }
  }
}
