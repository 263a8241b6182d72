import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** One of many programs, as a row of chips that wraps. A group of radio buttons for screen readers. */
export function ClientChips(props: {
  readonly label: string
  readonly name: string
  readonly clients: readonly { readonly id: string; readonly name: string; readonly isUnavailable?: boolean }[]
  readonly value: string
  onValue(id: string): void
  /** What follows the last chip. */
  readonly after?: ReactNode
  /** Whether they are one row on phones, which scrolls: what stands below is in sight then. */
  readonly isOneRow?: boolean
}): ReactNode {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm text-ink-3">{props.label}</legend>
      <div
        className={classNames(
          'flex flex-wrap items-center gap-1.5',
          // Room for the ring of the focus, which the edge of what scrolls would cut.
          props.isOneRow === true &&
            'max-sm:-m-1 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:p-1 max-sm:[scrollbar-width:none] max-sm:[&>*]:shrink-0',
        )}
      >
        {props.clients.map((client) => (
          <label
            key={client.id}
            className={classNames(
              'relative inline-flex min-h-8 touch:min-h-11 items-center rounded-full border border-line bg-surface px-3 transition-colors',
              'hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              client.isUnavailable === true && 'text-ink-3 line-through decoration-edge',
            )}
          >
            <input
              type="radio"
              name={props.name}
              value={client.id}
              checked={props.value === client.id}
              onChange={() => props.onValue(client.id)}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-full outline-none"
            />
            {client.name}
          </label>
        ))}
        {props.after}
      </div>
    </fieldset>
  )
}
