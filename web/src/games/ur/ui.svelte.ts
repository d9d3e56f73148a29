// What the parts of Ur share.

export class UrUi {
  path: number | null = $state(null); // the seat whose path is drawn over the board
}
