import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isUnreachable } from '../api/api-problem.ts'
import { useProblemText } from '../dictionaries/problem-text.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from './button.tsx'
import { ErrorState } from './error-state.tsx'
import { Notice } from './notice.tsx'

/** What a part of a page shows of a query: its skeleton, why it failed with a way to try again, that there is nothing, or the data. */
export function QueryView<Data>(props: {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error'> & { refetch(): Promise<unknown> }
  /** A skeleton of the size of what will come, so that nothing moves then. */
  readonly skeleton: ReactNode
  readonly empty?: { is(data: NoInfer<Data>): boolean; readonly shown: ReactNode }
  children(data: Data): ReactNode
}): ReactNode {
  const { data, error, refetch } = props.query
  if (data === undefined) {
    return error === null ? props.skeleton : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <NotRefreshed query={props.query} className="mb-3" />
      {props.empty?.is(data) === true ? props.empty.shown : props.children(data)}
    </>
  )
}

/** What is shown is old, and why: that the gateway cannot be reached is said above the page. */
export function NotRefreshed(props: {
  readonly query: { readonly data: unknown; readonly error: unknown; refetch(): unknown }
  readonly className?: string
}): ReactNode {
  const t = useSharedTexts()
  const text = useProblemText()
  const { data, error, refetch } = props.query
  if (error === null || data === undefined || isUnreachable(error)) return null
  return (
    <div className={props.className}>
      <Notice tone="warn" isLive action={<Button onClick={() => void refetch()}>{t.tryAgain}</Button>}>
        {t.table.notRefreshed(text(error))}
      </Notice>
    </div>
  )
}

/** `empty.is` of a list. */
export function hasNoRows(page: { readonly data: readonly unknown[] }): boolean {
  return page.data.length === 0
}
