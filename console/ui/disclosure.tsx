import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

/**
 * What most people don't need, folded away; `summary` says what is in it, also while it is folded. It opens when
 * `isOpenAtFirst` comes later, and closes by its reader's hand alone.
 */
export function Disclosure(props: {
  readonly title: string
  readonly summary?: ReactNode
  readonly isOpenAtFirst?: boolean
  readonly children: ReactNode
}): ReactNode {
  const element = useRef<HTMLDetailsElement>(null)
  const { isOpenAtFirst = false } = props
  const [isOpen] = useState(isOpenAtFirst)
  useLayoutEffect(() => {
    if (isOpenAtFirst && element.current !== null) element.current.open = true
  }, [isOpenAtFirst])
  return (
    <details ref={element} open={isOpen} className="group card min-w-0 scroll-mb-40 not-open:print:hidden">
      <summary
        // What was opened comes into sight: it may stand below the foot of a dialog.
        onClick={(event) => {
          const details = event.currentTarget.parentElement
          requestAnimationFrame(() => details?.scrollIntoView({ block: 'start' }))
        }}
        className="flex min-h-11 list-none items-center gap-2 rounded-lg px-3 py-2 [&::-webkit-details-marker]:hidden"
      >
        <Icon name="right" className="text-ink-3 transition-transform group-open:rotate-90" />
        <span className="min-w-0 font-medium">{props.title}</span>
        {props.summary !== undefined && (
          <span className="min-w-0 flex-1 basis-20 truncate text-sm text-ink-3">{props.summary}</span>
        )}
      </summary>
      <div className="border-t border-line px-3 py-4 sm:px-4">{props.children}</div>
    </details>
  )
}
