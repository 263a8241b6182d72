import type { ReactNode } from 'react'
import type { Tone } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'

const LOOKS: Readonly<Record<'good' | 'warn' | 'bad' | 'neutral', string>> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  neutral: 'text-ink-3',
}

/** One thing to do, or done: what it is, what helps, and the one button that leads there. */
export function TodoItem(props: {
  readonly tone: Extract<Tone, keyof typeof LOOKS>
  readonly title: ReactNode
  /** Said before the title to those who do not see the sign. */
  readonly state?: string
  readonly aside?: ReactNode
  readonly action?: ReactNode
  readonly children?: ReactNode
}): ReactNode {
  const { tone } = props
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5 border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0">
      <Icon
        name={tone === 'good' ? 'check' : tone === 'neutral' ? 'circle' : 'warning'}
        className={`mt-0.75 ${LOOKS[tone]}`}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          {props.state !== undefined && <span className="sr-only">{props.state}: </span>}
          {props.title}
        </p>
        {props.children !== undefined && <div className="text-sm text-ink-2">{props.children}</div>}
        {props.aside !== undefined && <div className="flex flex-wrap gap-x-3 text-sm text-ink-3">{props.aside}</div>}
      </div>
      {props.action !== undefined && <div className="max-sm:w-full max-sm:pl-7">{props.action}</div>}
    </li>
  )
}
