import { useEffect, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { announcePage } from './page-announcer.tsx'
import { namePage } from './page-title.ts'

/** The head of each page: its name, a line about it, what can be done here. Names the browser's tab, too. */
export function PageHeader(props: {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  /** Icons alone, which have their place beside the title on a phone as well. */
  readonly hasIconsOnly?: boolean
}): ReactNode {
  const isCompact = props.hasIconsOnly === true
  useEffect(() => {
    namePage(props.title)
    announcePage(props.title)
  }, [props.title])
  return (
    <header className={classNames('mb-5 flex items-start justify-between gap-x-6 gap-y-3', !isCompact && 'flex-wrap')}>
      {/* Beside its actions as long as its name has room there; the line about it takes what is left. */}
      <div className={classNames('min-w-0 grow', props.lead !== undefined && !isCompact && 'sm:min-w-72')}>
        <h1 tabIndex={-1} className="text-xl outline-none [overflow-wrap:anywhere]">
          {props.title}
        </h1>
        {props.lead !== undefined && (
          <div className={classNames('mt-1', !isCompact && 'w-0 min-w-full')}>
            <p className="max-w-[65ch] text-ink-2">{props.lead}</p>
          </div>
        )}
      </div>
      {props.actions !== undefined && (
        <div
          className={classNames(
            'flex max-w-full shrink-0 flex-wrap gap-2 sm:justify-end',
            !isCompact && 'max-sm:w-full max-sm:[&>*]:min-w-fit max-sm:[&>*]:flex-1 max-sm:[&>*]:basis-[30%]',
          )}
        >
          {props.actions}
        </div>
      )}
    </header>
  )
}
