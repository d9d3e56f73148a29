/* The race of Ben Hvrt, from the grid to the payout. */
#include "ben_cards.h"

enum { PLACES = 3, STALLED = 10 };
static const int REST[18] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 0, 2, 1, 1, 2, 2, 1};

static void change_speeds(int c, int target, int code) {
  for (uint64_t kinds = fitted(c, code); kinds; kinds &= kinds - 1)
    who[target].speed = limited(who[target].speed + strength(lowest(kinds), code));
}
static void pass_others(const space *here, int *passed) {
  int targets = 0;
  for (int set = racing & ~(*passed | 1 << mover); set; set &= set - 1) {
    int square = who[lowest(set)].square;
    if (here->passes[square >> 6] >> (square & 63) & 1) targets |= set & -set;
  }
  *passed |= targets;
  for (int set = targets; set; set &= set - 1) {
    change_speeds(lowest(set), lowest(set), OP_WHEN_PASSED);
    change_speeds(mover, lowest(set), OP_WHEN_PASSING);
  }
  for (; targets && !halted; targets &= targets - 1) {
    open_to(PB, mover, lowest(targets));
    if (!halted) open_to(PA, lowest(targets), lowest(targets));
  }
}

/* Lets the mover take its steps; returns whether it finishes. */
static int drive(player *p) {
  int steps = p->speed + roll, free_lane = fitted(mover, OP_FREE_LANE) != 0, passed = 0;
  if (steps < 0) steps = 0;
  while (!halted && (steps || free_lane)) {
    const space *here = board + p->square;
    int to[2 + SIDES], n = 1;
    to[n] = here->ahead;
    n += steps && !is_taken(here->ahead);
    int sideways = n;
    for (int i = 0; i < here->sides; i++) {
      to[n] = here->beside[i];
      n += !is_taken(here->beside[i]);
    }
    if (!steps && n == 1) break;
    int choice = decide(n);
    if (!choice) break;
    if (choice >= sideways && free_lane) free_lane = 0;
    else steps--;
    if (choice < sideways && here->last) {
      if (p->lap == laps) {
        turn(p->square);
        racing &= ~(1 << mover);
        finisher[finishers++] = mover;
        advanced = 1;
        return 1;
      }
      p->lap++;
    }
    put_on(p, to[choice]);
    here = board + p->square;
    if (here->passes[0] & taken[0] || here->passes[1] & taken[1]) pass_others(here, &passed);
  }
  return 0;
}
static void roll_dice(player *p) {
  int face = p->next_roll;
  if (!face) {
    face = die();
    if (two_dice) {
      int other = die();
      if (decide(face == other ? 1 : 2)) face = other;
    }
  }
  p->next_roll = 0;
  roll = counts_as(mover, face);
}
static int keeps_speed(player *p) {
  uint64_t kinds = fitted(mover, OP_KEEP_SPEED);
  if (!kinds || (t->per[lowest(kinds)] != PER_MOVE && p->lever_used == lap_of(p)) || !decide(2)) return 0;
  p->lever_used = lap_of(p);
  return 1;
}
static void line_up(void) {
  taken[0] = taken[1] = 0;
  racing = entered;
  for (int n = 0, place = 0, c = next(dealer); n < seats; n++, c = next(c)) {
    player *p = who + c;
    memset(p->stake, 0, sizeof p->stake);
    if (entered >> c & 1) {
      p->square = t->grid[place];
      p->speed = t->grid_rank[place] < FASTEST ? t->grid_rank[place] : FASTEST;
      p->best = board[p->square].front;
      p->lap = p->next_roll = p->driver_used = p->lever_used = p->shaken = 0;
      change_speeds(c, c, OP_START_SPEED);
      turn(p->square);
      place++;
    }
  }
}
static void race(void) {
  int moved = 0, stalled = 0, needed = count(entered) < PLACES ? count(entered) : PLACES;
  line_up();
  mover = begun = advanced = finishers = calmed = halted = driver_acted = 0;
  priority = foremost(racing);
  if (racing) open_to_all(BM, priority);
  for (begun = 1;;) {
    int waiting = racing & ~moved;
    if (!waiting) {
      moved = 0;
      stalled = advanced ? 0 : stalled + 1;
      advanced = 0;
      waiting = racing;
    }
    if (!waiting || stalled == STALLED) return;
    mover = priority = foremost(waiting);
    player *p = who + mover;
    halted = calmed = driver_acted = two_dice = 0;
    open_to(PR, mover, 0);
    roll_dice(p);
    open_to_all(RO, mover);
    if (!drive(p)) {
      if (!keeps_speed(p)) p->speed = limited(roll);
    } else if (finishers == needed) {
      return;
    }
    moved |= 1 << mover;
    open_to_all(BM, mover);
  }
}

static void pay_out(void) {
  for (int left = racing; left && finishers < PLACES;) {
    int c = foremost(left);
    left &= ~(1 << c);
    finisher[finishers++] = c;
  }
  if (!finishers) return;
  dealer = finisher[0];
  for (int seat = 0; seat < seats; seat++) {
    int stake = who[seat].stake[dealer], paid = stake < pot ? stake : pot;
    pot -= paid;
    who[seat].purse += paid;
  }
  int share = pot / 6, rest = pot % 6;
  for (int place = 0; place < PLACES && place < finishers; place++) {
    int prize = (3 - place) * share + REST[3 * rest + place];
    pot -= prize;
    who[finisher[place]].purse += prize;
  }
  who[dealer].purse += pot;
  pot = 0;
}
