// Reviews of finished games: the page starts a job and polls it.
import { call } from '../server/api';
import type { Note } from '../text/words.svelte';
import type { Texts } from '../server/api';

export interface Judged {
  number: number;
  seat: number;
  text: string;
  before: number;
  after: number;
  best: string;
  lost: number;
  exact: boolean;
  chances: number[];
  unjudged: boolean;
  better: Note[];
}

export interface Side {
  seat: number;
  start: number;
  decisions: number;
  lost: number;
  luck: number;
  result: number;
}

export interface Review {
  game: string;
  playouts: number;
  exact: number;
  moves: Judged[];
  sides: Side[];
  slip: number;
}

export interface Job {
  review: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'dropped';
  done: number;
  total: number;
  result: Review | null;
  fault: { code: string; text: Texts } | null;
}

export const startReview = (table: string): Promise<Job> => call(`/tables/${encodeURIComponent(table)}/review`, {});
export const startRecordReview = (record: string): Promise<Job> => call('/reviews', { record });
export const reviewJob = (job: string): Promise<Job> => call(`/reviews/${encodeURIComponent(job)}`);
