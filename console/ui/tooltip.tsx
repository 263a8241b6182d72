import {
  useEffect,
  useId,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent as PointedEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { createPortal } from 'react-dom'

const WAIT_MS = 350
const EDGE_PX = 8

interface Place {
  readonly leftPx: number
  readonly topPx: number
}

/**
 * A word about what is under the pointer or has the focus. Never the only place of anything one needs: touch has none, and
 * readers of the screen get the name of the button itself.
 */
export function Tooltip({ text, children }: { readonly text: ReactNode; readonly children: ReactElement }): ReactNode {
  const bubble = useBubble()
  return (
    <span ref={bubble.around} className="contents" {...bubble.handlers}>
      {children}
      {bubble.place !== null && createPortal(<Bubble place={bubble.place}>{text}</Bubble>, document.body)}
    </span>
  )
}

/** Something that says more of itself: under the pointer, with the keyboard's focus, and at a press, which touch has too. */
export function Explained({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }): ReactNode {
  const bubble = useBubble()
  const id = useId()
  const wasShown = useRef(false)
  return (
    <span
      ref={bubble.around}
      className="contents"
      {...bubble.handlers}
      onPointerDown={() => {
        wasShown.current = bubble.place !== null
        bubble.handlers.onPointerDown()
      }}
    >
      <button
        type="button"
        aria-describedby={bubble.place === null ? undefined : id}
        className="min-h-6 cursor-help rounded-sm text-inherit"
        onClick={() => {
          if (!wasShown.current) bubble.show()
          wasShown.current = false
        }}
      >
        {children}
      </button>
      {bubble.place !== null &&
        createPortal(
          <Bubble place={bubble.place} id={id}>
            {text}
          </Bubble>,
          document.body,
        )}
    </span>
  )
}

/** When a bubble is shown, and where: it moves along with what it is about. */
function useBubble() {
  const around = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<Place | null>(null)
  const isShown = place !== null
  const show = (): void => {
    const box = around.current?.firstElementChild?.getBoundingClientRect()
    if (box !== undefined) setPlace({ leftPx: box.left + box.width / 2, topPx: box.bottom + 6 })
  }
  const hide = (): void => {
    clearTimeout(timer.current)
    setPlace(null)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!isShown) return
    const gone = new AbortController()
    const { signal } = gone
    const pressed = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && around.current?.contains(target) === true)) hide()
    }
    addEventListener('resize', show, { signal })
    addEventListener('scroll', show, { signal, capture: true, passive: true })
    addEventListener('pointerdown', pressed, { signal, passive: true })
    return () => gone.abort()
  }, [isShown])
  const handlers = {
    onPointerOver: (event: PointedEvent): void => {
      clearTimeout(timer.current)
      if (event.pointerType === 'mouse') timer.current = setTimeout(show, WAIT_MS)
    },
    // A finger leaves what it has pressed.
    onPointerOut: (event: PointedEvent): void => {
      if (event.pointerType === 'mouse') hide()
    },
    onPointerDown: hide,
    onFocus: (event: FocusEvent): void => {
      if (event.target.matches(':focus-visible')) show()
    },
    onBlur: hide,
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide()
    },
  }
  return { around, place, show, handlers }
}

/**
 * Stays inside the window, as wide as its words wherever it was before. `id`: it describes something, so that readers of the
 * screen have it too.
 */
function Bubble(props: { readonly place: Place; readonly id?: string; readonly children: ReactNode }): ReactNode {
  const { place, id } = props
  return (
    <div
      {...(id === undefined ? { 'aria-hidden': true } : { id, role: 'tooltip' })}
      ref={(element) => {
        if (element === null) return
        const { width, height } = element.getBoundingClientRect()
        const most = document.documentElement.clientWidth - width - EDGE_PX
        const isBelowWindow = place.topPx + height > innerHeight
        element.style.left = `${Math.max(EDGE_PX, Math.min(most, place.leftPx - width / 2))}px`
        element.style.top = `${isBelowWindow ? place.topPx - height - 48 : place.topPx}px`
      }}
      className="popup pointer-events-none fixed top-0 left-0 z-50 w-max max-w-72 rounded-md px-2 py-1 text-left text-xs text-ink"
    >
      {props.children}
    </div>
  )
}
