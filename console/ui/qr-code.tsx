import type { ReactNode } from 'react'

/** A QR code from its dark and light squares, in black on white in either theme: cameras want that. */
export function QrCode(props: {
  readonly modules: readonly (readonly boolean[])[]
  readonly label: string
}): ReactNode {
  const size = props.modules.length
  const squares = props.modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={props.label}
      viewBox={`-2 -2 ${size + 4} ${size + 4}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-lg"
    >
      <rect x="-2" y="-2" width={size + 4} height={size + 4} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
