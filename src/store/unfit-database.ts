/** A database that answers and cannot be used as it is. The message says why, and what to do; it ends without a full stop. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
}
