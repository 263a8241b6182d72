/**
 * The end of a drawing that would have none. A component that changes its own state each time it was drawn is drawn by Preact
 * for ever, within one task, so that the page answers nothing any more; React gives up after fifty times. So does this.
 */
import { options, type Component } from 'preact'
import { inNextTask } from './next-task.ts'

/** How often one component is drawn in one task, at most: far more than any that ends has needed. */
const MOST_IN_A_TASK = 100

/** Preact's hook that is called before each drawing of a component, by its short name. */
const BEFORE_DRAWING = '__r'
const COMPONENT = '__c'

interface Hooks {
  [BEFORE_DRAWING]?: (node: Node) => void
}

interface Node {
  readonly [COMPONENT]?: Component | null
  readonly type?: unknown
}

/** Makes a component that is drawn too often throw, for the boundary above it to show. Once, before anything is drawn. */
export function endEndlessDrawing(): void {
  const hooks = options as Hooks
  const before = hooks[BEFORE_DRAWING]
  let times: WeakMap<Component, number> | null = null
  hooks[BEFORE_DRAWING] = (node) => {
    before?.(node)
    const component = node[COMPONENT]
    if (component === undefined || component === null) return
    if (times === null) {
      times = new WeakMap()
      inNextTask(() => (times = null))
    }
    const count = (times.get(component) ?? 0) + 1
    times.set(component, count)
    if (count > MOST_IN_A_TASK) throw new Error(`${nameOf(node.type)} is drawn again and again without an end.`)
  }
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : 'A component'
}
