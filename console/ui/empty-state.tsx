import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** Nothing here yet, or nothing that fits: why, and what to do. */
export function EmptyState(props: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}): ReactNode {
  return (
    <div className="flex flex-col items-center px-4 py-12 text-center">
      <span className="mb-3 flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent">
        <Icon name={props.icon} className="size-5" />
      </span>
      <h2 className="text-lg">{props.title}</h2>
      {props.children !== undefined && <div className="mt-1 max-w-[52ch] text-ink-2">{props.children}</div>}
      {props.action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{props.action}</div>}
    </div>
  )
}
