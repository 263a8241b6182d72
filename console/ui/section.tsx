import { useId, type ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A part of a page with a name, on paper of its own. */
export function Section(props: {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  readonly className?: string
  /** Whether it shares one sheet of paper with others. */
  readonly isPart?: boolean
}): ReactNode {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={classNames(props.isPart !== true && 'card', 'min-w-0 p-4 sm:p-5', props.className)}
    >
      <div
        className={classNames(
          'flex flex-wrap justify-between gap-x-4 gap-y-2',
          props.lead === undefined ? 'items-center' : 'items-start',
        )}
      >
        {/* On a phone a short title leaves the actions their place beside it. */}
        <div
          className={classNames(
            'min-w-0 flex-1',
            props.lead === undefined && props.actions !== undefined ? 'max-sm:flex-auto sm:basis-56' : 'basis-52',
          )}
        >
          <h2 id={id} className="text-lg">
            {props.title}
          </h2>
          {props.lead !== undefined && <p className="mt-0.5 max-w-[65ch] text-ink-2">{props.lead}</p>}
        </div>
        {props.actions !== undefined && (
          <div className="flex max-w-full shrink-0 flex-wrap gap-2 sm:justify-end">{props.actions}</div>
        )}
      </div>
      {props.children !== undefined && <div className="mt-4 empty:hidden">{props.children}</div>}
    </section>
  )
}

/** Sections of one thing on one sheet of paper, with a line between them. */
export function Sheet({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="card min-w-0 [&>section]:border-0! [&>section]:bg-transparent! [&>section]:rounded-none! [&>section+section]:border-t!">
      {children}
    </div>
  )
}
