import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

const LOOKS: Readonly<Record<Tone, { box: string; icon: IconName }>> = {
  neutral: { box: 'bg-sunken text-ink-2', icon: 'info' },
  accent: { box: 'bg-accent-soft text-accent', icon: 'info' },
  good: { box: 'bg-good-soft text-good', icon: 'check' },
  warn: { box: 'bg-warn-soft text-warn', icon: 'warning' },
  bad: { box: 'bg-bad-soft text-bad', icon: 'warning' },
}

/** A sentence or two that belong to what stands around it. `isLive`: said aloud when it appears. */
export function Notice(props: {
  readonly tone?: Tone
  readonly title?: string
  readonly isLive?: boolean
  readonly action?: ReactNode
  readonly children?: ReactNode
}): ReactNode {
  const tone = props.tone ?? 'neutral'
  const live = props.isLive === true ? (tone === 'bad' ? 'alert' : 'status') : undefined
  return (
    <div role={live} className={classNames('flex gap-2.5 rounded-lg px-3 py-2', LOOKS[tone].box)}>
      <Icon name={LOOKS[tone].icon} className="mt-0.75" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          {props.title !== undefined && <p className="font-medium">{props.title}</p>}
          {props.children !== undefined && <div className={tone === 'neutral' ? '' : 'text-ink'}>{props.children}</div>}
        </div>
        {/* On the line of the words where there is room for both, and no higher than they are. */}
        {props.action !== undefined && <div className="-my-1.5 flex flex-wrap gap-2 max-sm:my-0">{props.action}</div>}
      </div>
    </div>
  )
}
