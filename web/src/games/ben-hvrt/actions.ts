// The actions of Ben Hvrt as labels of buttons.
import { joinList, say } from '../../lib/text/words.svelte';
import { chariotName, ownersOf } from './chariots';
import { cardName, placeName } from './text';
import type { BenGeometry, BenView, Card } from './view';

/**
 * Returns a card's name and the numbers after it. A name may end in a number itself, so the longest that fits
 * is meant.
 */
export function cardAndNumbers(text: string, cards: Card[]): { name: string; numbers: number[] } {
  const fitting = cards
    .map((card) => card.name)
    .filter((name) => text === name || text.startsWith(`${name} `));
  const name = fitting.sort((a, b) => b.length - a.length)[0] ?? text;
  return { name, numbers: text.slice(name.length).split(' ').filter(Boolean).map(Number) };
}

export function label(text: string, view: BenView, geometry: BenGeometry, names: string[]): string | null {
  const word = text.split(' ')[0];
  const rest = text.slice(word.length + 1);
  const { name, numbers } = cardAndNumbers(rest, geometry.cards);
  const owners = ownersOf(view);
  const card = cardName(geometry, name);
  const chariots = numbers.map((n) => chariotName(n, owners, names, view.seat));
  switch (word) {
    case 'buy':
      return say('act.buy', { n: view.lot?.price ?? '' });
    case 'bid':
      return say('act.bid', { n: view.lot?.bid ?? '' });
    case 'pass':
      return say(view.phase === 'auction' ? 'act.out' : 'act.pass');
    case 'auction':
    case 'ready':
    case 'accept':
    case 'decline':
    case 'stop':
    case 'offer':
    case 'bribe':
      return say(`act.${word}`);
    case 'fit':
      return say(geometry.chariots > geometry.seats ? 'act.fit.to' : 'act.fit', {
        card,
        chariot: chariots[0] ?? '',
      });
    case 'keep':
      return say('act.keep', { card, n: view.due?.cost ?? '' });
    case 'drop':
      return say('act.drop', { card });
    case 'use':
      return say('act.use', { card: cardName(geometry, rest) });
    case 'keep-die':
      return say('act.keep-die', { n: rest });
    case 'step':
    case 'shift':
      return say(`act.${word}`, { place: placeName(geometry, rest) });
    case 'play': {
      if (!numbers.length) return say('act.play', { card });
      const takes = geometry.cards.find((other) => other.name === name)?.takes;
      return say('act.play.on', { card, on: takes === 'value' ? numbers[0] : chariots.join(' → ') });
    }
  }
  return null;
}

/** Steps are taken on the board and cards are played from the hand; the rest are buttons. */
export const isButton = (text: string): boolean => !/^(step|shift|play|fit) /.test(text);

export function isPrimary(text: string): boolean | null {
  if (text === 'stop') return false;
  return /^(bid|buy|accept|ready|keep .+)$/.test(text) || null;
}

/** Returns an offer or a bribe in words, as advice or as the log tells it; null for any other action. */
export function composed(
  text: string,
  geometry: BenGeometry,
  names: string[],
  use: 'hint' | 'log' = 'hint',
): string | null {
  const side = (written: string): string =>
    written === 'nothing'
      ? say('ben-hvrt.nothing')
      : joinList(
          written
            .split(', ')
            .map((part) =>
              /^\d+$/.test(part) ? say('ben-hvrt.ducats', { n: Number(part) }) : cardName(geometry, part),
            ),
        );
  const offer = /^offer (\d+) give (.+) for (.+)$/.exec(text);
  if (offer)
    return say(`${use}.offer`, { name: names[Number(offer[1])], give: side(offer[2]), want: side(offer[3]) });
  const bribe = /^bribe (\d+) (.+)$/.exec(text);
  if (!bribe) return null;
  const { name, numbers } = cardAndNumbers(bribe[2], geometry.cards);
  const given = { name: names[Number(bribe[1])], card: cardName(geometry, name), n: numbers.at(-1) };
  if (numbers.length < 2) return say(`${use}.bribe`, given);
  return say(`${use}.bribe.on`, { ...given, chariot: chariotName(numbers[0], geometry.owners, names) });
}
