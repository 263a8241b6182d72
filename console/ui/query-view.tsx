import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'

/** What a part of a page shows of a query: its skeleton, why it failed with a way to try again, that there is nothing, or the data. */
export function QueryView<Data>(props: {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** Of the size of what will come, so that nothing moves then. */
  readonly skeleton: ReactNode
  readonly empty?: { is(data: NoInfer<Data>): boolean; readonly shown: ReactNode }
  children(data: Data): ReactNode
}): ReactNode {
  const { data, error, refetch } = props.query
  if (data === undefined) {
    return error === null ? props.skeleton : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return props.empty?.is(data) === true ? props.empty.shown : props.children(data)
}

/** `empty.is` of a list. */
export function hasNoRows(page: { readonly data: readonly unknown[] }): boolean {
  return page.data.length === 0
}
