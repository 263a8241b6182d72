import { useEffect, type ReactNode } from 'react'
import { announcePage } from './page-announcer.tsx'
import { namePage } from './page-title.ts'

/** The head of each page: its name, a line about it, what can be done here. Names the browser's tab, too. */
export function PageHeader(props: {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
}): ReactNode {
  useEffect(() => {
    namePage(props.title)
    announcePage(props.title)
  }, [props.title])
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-xl outline-none [overflow-wrap:anywhere]">
          {props.title}
        </h1>
        {props.lead !== undefined && <p className="mt-1 max-w-[65ch] text-ink-2">{props.lead}</p>}
      </div>
      {props.actions !== undefined && (
        <div className="flex shrink-0 flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:min-w-fit max-sm:[&>*]:flex-1 max-sm:[&>*]:basis-[30%] sm:max-w-3/4 sm:justify-end">
          {props.actions}
        </div>
      )}
    </header>
  )
}
