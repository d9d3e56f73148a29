// An offer under construction.

export interface Draft {
  to: number;
  give: string[];
  want: string[];
  pay: number | null; // null while the field is empty
  ask: number | null;
}

export const blank = (): Draft => ({ to: -1, give: [], want: [], pay: null, ask: null });
