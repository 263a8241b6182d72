/**
 * The counts of one metric, found by one label after the other: each step is a look-up by a string that is there already, so
 * counting what was counted before allocates nothing.
 */
export class LabelTree {
  count = 0
  readonly #children = new Map<string, LabelTree>()

  /** Where the counts with this label are; made when it is not there yet. */
  at(label: string): LabelTree {
    let child = this.#children.get(label)
    if (child === undefined) {
      child = new LabelTree()
      this.#children.set(label, child)
    }
    return child
  }

  /** The counts with this label; undefined: nothing was counted there yet. */
  find(label: string): LabelTree | undefined {
    return this.#children.get(label)
  }

  /** All that was counted, with the labels on the way there. */
  *leaves(path: readonly string[] = []): Generator<{ labels: readonly string[]; value: number }> {
    if (this.#children.size === 0 && path.length > 0) yield { labels: path, value: this.count }
    for (const [label, child] of this.#children) yield* child.leaves([...path, label])
  }
}
