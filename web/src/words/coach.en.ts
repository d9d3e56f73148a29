// The coach, and the first race, in English.
import type { Message } from '../lib/text/message';

export const coach = {
  'coach.title': 'Coach',
  'coach.none': 'Nothing to count here.',
  'coach.wait': 'The numbers come with your next turn.',
  'menu.coach': 'Coach: what matters, in numbers',
  'menu.coach.vote': 'Vote for the coach',
  'menu.coach.off': 'Switch the coach off for all',
  'vote.coach': 'Allow the coach for everybody? In favour: {by} ({n} of {need}).',
  'race.title': 'Your first race',
  'race.about': 'A short game against bots, with a tip whenever something new happens.',
  'race.start': 'Play your first race',
  'race.again': 'Play it again',
  'race.done': 'Your first race is finished. You know the game now.',
  'race.more': 'Back to the lessons',
  'race.earlier': { one: 'The tip before', other: 'The {n} tips before' },
} satisfies Record<string, Message>;
