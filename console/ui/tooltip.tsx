import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react'
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
  const around = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<Place | null>(null)
  const show = (): void => {
    const box = around.current?.firstElementChild?.getBoundingClientRect()
    if (box !== undefined) setPlace({ leftPx: box.left + box.width / 2, topPx: box.bottom + 6 })
  }
  const hide = (): void => {
    clearTimeout(timer.current)
    setPlace(null)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span
      ref={around}
      className="contents"
      onPointerOver={(event) => {
        clearTimeout(timer.current)
        if (event.pointerType === 'mouse') timer.current = setTimeout(show, WAIT_MS)
      }}
      onPointerOut={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show()}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {place !== null && createPortal(<Bubble place={place}>{text}</Bubble>, document.body)}
    </span>
  )
}

/** Stays inside the window. */
function Bubble({ place, children }: { readonly place: Place; readonly children: ReactNode }): ReactNode {
  return (
    <div
      aria-hidden="true"
      ref={(element) => {
        if (element === null) return
        const { width, height } = element.getBoundingClientRect()
        const most = document.documentElement.clientWidth - width - EDGE_PX
        const isBelowWindow = place.topPx + height > innerHeight
        element.style.left = `${Math.max(EDGE_PX, Math.min(most, place.leftPx - width / 2))}px`
        element.style.top = `${isBelowWindow ? place.topPx - height - 48 : place.topPx}px`
      }}
      className="popup pointer-events-none fixed top-0 left-0 z-50 max-w-72 rounded-md px-2 py-1 text-xs text-ink"
    >
      {children}
    </div>
  )
}
