import { MutationObserver, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { createQueryClient } from './query-client.ts'

const REFUSED = new ApiProblem({ status: 401, code: 'signed_out', detail: 'Sign in.' })

/** Has one query, answered by `answers` in turn, looked at. */
function watchKeys(client: QueryClient, answers: readonly (string | ApiProblem)[]) {
  const left = [...answers]
  const queryFn = async (): Promise<string> => {
    const answer = left.shift()
    if (typeof answer !== 'string') throw answer
    return answer
  }
  const observer = new QueryObserver(client, { queryKey: ['keys'], queryFn, retry: false })
  return { left, observer, stop: observer.subscribe(() => {}) }
}

/** A client whose one query is answered by `answers` in turn, in a browser whose session is good or not. */
async function ask(session: { isGood: boolean }, answers: readonly (string | ApiProblem)[]) {
  const onSignedOut = vi.fn<() => void>()
  const isSignedIn = vi.fn<() => Promise<boolean>>(async () => session.isGood)
  const client = createQueryClient({ isSignedIn, onSignedOut })
  const { left, observer, stop } = watchKeys(client, answers)
  await vi.waitFor(() => expect(left).toHaveLength(0))
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))
  return { client, observer, stop, isSignedIn, onSignedOut }
}

test('a refusal of a session that was replaced meanwhile asks again and keeps the page', async () => {
  const { observer, stop, onSignedOut } = await ask({ isGood: true }, [REFUSED, 'the keys'])
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('the keys'))
  expect(onSignedOut).not.toHaveBeenCalled()
  stop()
})

test('a session that has ended is said once it was asked for anew', async () => {
  const { stop, isSignedIn, onSignedOut } = await ask({ isGood: false }, [REFUSED])
  await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalledOnce())
  expect(isSignedIn).toHaveBeenCalledOnce()
  stop()
})

test('a query that is refused again ends the session, though the session looks good', async () => {
  const { stop, onSignedOut } = await ask({ isGood: true }, [REFUSED, REFUSED])
  await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalledOnce())
  stop()
})

test('a change that is refused keeps the page while the session is good', async () => {
  const { client, stop, isSignedIn, onSignedOut } = await ask({ isGood: true }, ['the keys'])
  const change = new MutationObserver(client, { mutationFn: () => Promise.reject(REFUSED) })
  await expect(change.mutate()).rejects.toBe(REFUSED)
  expect(isSignedIn).toHaveBeenCalledOnce()
  expect(onSignedOut).not.toHaveBeenCalled()
  stop()
})

test('a refusal while a change is on its way waits for the session that the change brings', async () => {
  const session = { isGood: false }
  const isSignedIn = vi.fn<() => Promise<boolean>>(async () => session.isGood)
  const onSignedOut = vi.fn<() => void>()
  const client = createQueryClient({ isSignedIn, onSignedOut })
  const answered = Promise.withResolvers<void>()
  const change = new MutationObserver(client, {
    mutationFn: async () => {
      await answered.promise
      session.isGood = true
    },
  })
  const changing = change.mutate()
  const { left, observer, stop } = watchKeys(client, [REFUSED, 'the keys'])
  await vi.waitFor(() => expect(left).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(isSignedIn).not.toHaveBeenCalled()
  answered.resolve()
  await changing
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('the keys'))
  expect(onSignedOut).not.toHaveBeenCalled()
  stop()
})

test('a session that was replaced while it was asked for is asked for again', async () => {
  const onSignedOut = vi.fn<() => void>()
  const client: ReturnType<typeof createQueryClient> = createQueryClient({
    isSignedIn: async () => {
      if (isSignedIn.mock.calls.length > 0) return isSignedIn()
      isSignedIn()
      await new MutationObserver(client, { mutationFn: async () => {} }).mutate()
      return false
    },
    onSignedOut,
  })
  const isSignedIn = vi.fn<() => boolean>(() => true)
  const { observer, stop } = watchKeys(client, [REFUSED, 'the keys'])
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('the keys'))
  expect(onSignedOut).not.toHaveBeenCalled()
  stop()
})
