// What the parts of Ur share.

export class UrUi {
  constructor(readonly showsNumbers = false) {} // the spaces of the reader's path are numbered

  path: number | null = $state(null); // the seat whose path is drawn over the board
}
