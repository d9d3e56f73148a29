// Reviews of finished games: the page starts a job and polls it.
import type { ReviewJob } from '../server/protocol';
import { call } from '../server/api';

export type {
  Review,
  ReviewedMove as Judged,
  ReviewedSide as Side,
  ReviewJob as Job,
} from '../server/protocol';

export const startReview = (table: string): Promise<ReviewJob> =>
  call(`/tables/${encodeURIComponent(table)}/review`, {});
export const startRecordReview = (record: string): Promise<ReviewJob> => call('/reviews', { record });
export const reviewJob = (job: string): Promise<ReviewJob> => call(`/reviews/${encodeURIComponent(job)}`);
