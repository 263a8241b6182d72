import type { ReactNode } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** The refusal of an edit whose object was changed since it was read; null: it is none. */
export function collisionIn(error: unknown): ApiProblem | null {
  return error instanceof ApiProblem && error.version !== null ? error : null
}

/** Both versions of each field that differs, by the names that the API has for them, and which of them is to stand. */
export function Collision(props: {
  readonly problem: ApiProblem
  /** First, instead of that the object was changed: where a title above says so. */
  readonly lead?: string
  readonly isBusy: boolean
  onMine(): void
  onTheirs(): void
}): ReactNode {
  const t = useSharedTexts().collision
  const { differences } = props.problem
  return (
    <Notice tone="warn" isLive>
      <p className="font-medium">{props.lead ?? t.title}</p>
      {differences.length === 0 ? (
        <p className="text-sm text-ink-2">{t.onlyOthers}</p>
      ) : (
        <div tabIndex={0} role="region" aria-label={t.title} className="my-2 overflow-x-auto">
          <table className="w-full text-left text-sm">
            <thead className="text-ink-3">
              <tr>
                <th className="py-1 pr-4 font-normal">{t.field}</th>
                <th className="py-1 pr-4 font-normal">{t.theirs}</th>
                <th className="py-1 font-normal">{t.mine}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, current, yours }) => (
                <tr key={field} className="border-t border-line align-top">
                  <th scope="row" className="py-1 pr-4 font-mono font-normal">
                    {field}
                  </th>
                  <td className="py-1 pr-4 [overflow-wrap:anywhere]">{shown(current, t.nothing)}</td>
                  <td className="py-1 [overflow-wrap:anywhere]">{shown(yours, t.nothing)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={props.onTheirs}>{t.takeTheirs}</Button>
        <Button isBusy={props.isBusy} onClick={props.onMine}>
          {t.keepMine}
        </Button>
      </div>
    </Notice>
  )
}

function shown(value: unknown, nothing: string): string {
  if (value === null || value === undefined || value === '') return nothing
  return typeof value === 'string' ? value : JSON.stringify(value)
}
