// Listed tables in words.
import { moduleOf } from '../../games/registry';
import type { Game } from '../server/api';
import type { LobbyTable } from '../server/protocol';
import { botName } from '../server/tables';
import { points } from './ratings';
import { hasMessage, joinList, say } from './words.svelte';

/** Returns who sits at a listed table, or for whom a seat is kept. */
export const namesAt = (table: LobbyTable): string =>
  joinList(
    table.seats
      .filter((seat) => seat.kind !== 'open')
      .map((seat) => (seat.kind === 'bot' ? botName(seat.bot ?? '') : seat.name)),
  );

/** Returns who sits at a listed table, as `namesAt`, each with their rating. */
export const peopleAt = (table: LobbyTable): { name: string; rating: string }[] =>
  table.seats
    .filter((seat) => seat.kind !== 'open')
    .map((seat) => ({
      name: seat.kind === 'bot' ? botName(seat.bot ?? '') : seat.name,
      rating: seat.rating == null ? '' : points(seat.rating),
    }));

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function valueText(game: string, option: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => valueText(game, option, each)).join(', ');
  if (typeof value === 'boolean') return say(value ? 'open.on' : 'open.off');
  const key = `choice.${game}.${option}.${String(value)}`;
  if (hasMessage(key)) return say(key);
  return moduleOf(game).choice(option, String(value)) ?? String(value);
}

function optionText(game: string, option: string): string {
  const key = [`option.${game}.${option}`, `${game}.option.${option}`].find(hasMessage);
  return key ? say(key) : option;
}

/** Returns what is unusual about a table: its pace, and options that are not the usual ones. */
export function factsOf(table: LobbyTable, game: Game | undefined): string[] {
  const facts: string[] = [];
  if (table.days) facts.push(say('create.days.n', { n: table.days }));
  if (table.clock)
    facts.push(
      say(table.clock.kind === 'move' ? 'open.clock.move' : 'open.clock.player', { n: table.clock.seconds }),
    );
  for (const option of game?.options ?? []) {
    const value = table.options[option.name];
    const usual = option.defaults ? option.defaults[table.seats.length - (game?.least ?? 0)] : option.default;
    if (value === undefined || equal(value, usual) || equal(value, option.with_people)) continue;
    facts.push(
      say('open.option', {
        name: optionText(table.game, option.name),
        value: valueText(table.game, option.name, value),
      }),
    );
  }
  return facts.slice(0, 4);
}
