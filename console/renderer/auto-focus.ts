/** The focus of elements with `autoFocus`, which React gives when they are drawn first and Preact leaves to the browser. */
import { options, type Ref, type VNode } from 'preact'

type FocusRef = (element: HTMLElement | null) => void | (() => void)

const focused = new WeakSet<HTMLElement>()
/** One for each ref: another function with each drawing would be another ref. */
const made = new WeakMap<object, FocusRef>()

/** Makes Preact give this focus. Once, before anything is drawn. */
export function giveAutoFocus(): void {
  const before = options.vnode
  options.vnode = (vnode) => {
    before?.(vnode)
    if (typeof vnode.type === 'string' && 'autoFocus' in vnode.props) focusWithRef(vnode)
  }
}

function focusWithRef(vnode: VNode<{ autoFocus?: unknown }>): void {
  const isWanted = vnode.props.autoFocus === true
  delete vnode.props.autoFocus
  if (isWanted) vnode.ref = withFocus(vnode.ref ?? null)
}

function withFocus(ref: Ref<unknown> | null): FocusRef {
  if (ref === null) return focusOnce
  const known = made.get(ref)
  if (known !== undefined) return known
  const both: FocusRef = (element) => {
    focusOnce(element)
    if (typeof ref === 'function') return ref(element)
    ref.current = element
    return undefined
  }
  made.set(ref, both)
  return both
}

function focusOnce(element: HTMLElement | null): void {
  if (element === null || focused.has(element)) return
  focused.add(element)
  element.focus()
}
