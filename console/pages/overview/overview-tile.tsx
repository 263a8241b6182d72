import type { ReactNode } from 'react'

/** One figure with what it is about. */
export function OverviewTile(props: {
  readonly title: string
  readonly figure: ReactNode
  /** What is shown next to the title. */
  readonly aside?: ReactNode
  readonly children?: ReactNode
}): ReactNode {
  return (
    <li className="card flex min-h-37 min-w-0 flex-col p-4">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <h2 className="text-sm font-medium text-ink-2">{props.title}</h2>
        {props.aside}
      </div>
      <p className="mt-1 text-2xl font-semibold tracking-tight">{props.figure}</p>
      <div className="mt-1 grid gap-0.5 text-sm text-ink-2">{props.children}</div>
    </li>
  )
}
