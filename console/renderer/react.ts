/**
 * What `react` is in the built console, by the aliases of `vite-config.ts`: Preact, with another `Suspense` (decision 0162).
 * What is shown stays while a component in it waits, as in React's transitions; the fallback stands where nothing was shown
 * before. Preact's own takes the elements out of the page meanwhile and puts them back, and fails where an update from above
 * comes between the two.
 */
import { Component, createElement, Fragment, options, type ComponentChildren } from 'preact'
import { inNextTask } from './next-task.ts'

// @ts-expect-error TypeScript takes its types for those of a CommonJS module, which it is not.
export * from 'preact/compat'
export { default } from 'preact/compat'

interface Props {
  readonly fallback?: ComponentChildren
  readonly children?: ComponentChildren
}

interface State {
  /** What was last tried. */
  readonly children: ComponentChildren
  readonly isWaiting: boolean
}

export class Suspense extends Component<Props, State> {
  override state: State = { children: undefined, isWaiting: false }
  private hasShown = false
  private isComplete = true
  private readonly awaited = new Set<PromiseLike<unknown>>()

  /** Other children may have nothing to wait for. */
  static override getDerivedStateFromProps({ children }: Props, state: State): State | null {
    return children === state.children ? null : { children, isWaiting: false }
  }

  override componentDidMount(): void {
    if (this.isComplete && !this.state.isWaiting) this.hasShown = true
    this.isComplete = true
  }

  override componentDidUpdate(): void {
    this.componentDidMount()
  }

  /** A component below waits. */
  waitFor(promise: PromiseLike<unknown>, waiting: Drawn): void {
    if (this.hasShown) return whenSettled(promise, () => waiting.forceUpdate())
    this.isComplete = false
    this.setState({ isWaiting: true })
    if (this.awaited.has(promise)) return
    this.awaited.add(promise)
    whenSettled(promise, () => {
      this.awaited.delete(promise)
      if (this.awaited.size === 0) this.setState({ isWaiting: false })
    })
  }

  override render({ fallback, children }: Props, { isWaiting }: State): ComponentChildren {
    return createElement(Fragment, { key: isWaiting ? 'fallback' : 'children' }, isWaiting ? fallback : children)
  }
}

/** Properties of Preact's own objects, by the short names that they have in the version that `package.json` pins. */
const CATCH_ERROR = '__e'
const PARENT = '__'
const CHILDREN = '__k'
const COMPONENT = '__c'
const HOOKS = '__H'
const ALL_HOOKS = '__'
const NEXT_DEPENDENCIES = 'u'
/** The effects that a component has at once; of its hooks, those that wait for the next frame. */
const EFFECTS = '__h'

interface Drawn extends Component {
  [HOOKS]?: { readonly [ALL_HOOKS]: readonly { [NEXT_DEPENDENCIES]?: unknown }[]; [EFFECTS]: unknown[] } | undefined
  [EFFECTS]: unknown[]
}

/** An element as it stands in the tree. */
interface Node {
  [PARENT]?: Node | null
  readonly [COMPONENT]?: Drawn | null
  readonly [CHILDREN]?: readonly (Node | null)[] | null
}

interface Internals {
  [CATCH_ERROR](error: unknown, node: Node, ...more: readonly [before?: Node, info?: unknown]): void
}

const internals = options as unknown as Internals
const passOn = internals[CATCH_ERROR]
internals[CATCH_ERROR] = (error, node, ...more) => {
  const component = node[COMPONENT] ?? null
  const boundary = isPromise(error) ? boundaryOf(node) : null
  if (!isPromise(error) || component === null || boundary === null) return passOn(error, node, ...more)
  // It was drawn for the first time, and has nothing to keep.
  if ((more[0]?.[COMPONENT] ?? null) === null) component[HOOKS] = undefined
  forgetDrawing(node, component)
  boundary.waitFor(error, component)
}

function boundaryOf(node: Node): Suspense | null {
  for (let above = node[PARENT] ?? null; above !== null; above = above[PARENT] ?? null) {
    const component = above[COMPONENT] ?? null
    if (component !== null && isBoundary(component)) return component
  }
  return null
}

/** Looks at what it can, not at its class: the development server has this file twice, once within the libraries. */
function isBoundary(component: Component): component is Suspense {
  return 'waitFor' in component
}

/** A drawing that was broken off calls for no effects, and its component has the children that it had. */
function forgetDrawing(node: Node, component: Drawn): void {
  const hooks = component[HOOKS]
  component[EFFECTS] = []
  if (hooks !== undefined) hooks[EFFECTS] = []
  for (const hook of hooks?.[ALL_HOOKS] ?? []) delete hook[NEXT_DEPENDENCIES]
  for (const child of node[CHILDREN] ?? []) if (child !== null) child[PARENT] = node
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Calls it in a task of its own: what waits again and again for what is settled may keep the page busy, and not from answering. */
function whenSettled(promise: PromiseLike<unknown>, then: () => void): void {
  const later = (): void => inNextTask(then)
  promise.then(later, later)
}
