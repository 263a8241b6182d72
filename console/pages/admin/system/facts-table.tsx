import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { useHiddenEdges } from '../../../ui/use-hidden-edges.ts'

/** A few rows that scroll by themselves where they are wider than the window. */
export function FactsTable(props: {
  readonly label: string
  readonly heads: readonly string[]
  /** The `heads` with numbers below them, which stand at the end. */
  readonly numbers?: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}): ReactNode {
  const isNumber = (head: string | undefined): boolean => head !== undefined && props.numbers?.includes(head) === true
  return (
    <div
      ref={useHiddenEdges()}
      tabIndex={0}
      role="region"
      aria-label={props.label}
      className="overflow-x-auto fading-row outline-offset-[-2px]"
    >
      {/* It scrolls: no word is broken to make a column narrower. */}
      <table className="w-full text-left text-sm [overflow-wrap:normal] break-keep max-sm:whitespace-nowrap">
        <thead className="text-ink-3">
          <tr>
            {props.heads.map((head) => (
              <th
                key={head}
                scope="col"
                className={classNames(
                  'py-1 pr-4 font-normal whitespace-nowrap last:pr-0',
                  isNumber(head) && 'text-right',
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(({ key, cells }) => (
            <tr key={key} className="border-t border-line align-top">
              {cells.map((cell, at) => (
                <td
                  key={props.heads[at]}
                  className={classNames('py-1.5 pr-4 last:pr-0', isNumber(props.heads[at]) && 'text-right')}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
