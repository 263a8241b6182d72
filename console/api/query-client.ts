import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { SignInProblemCode } from '../../src/contract/sign-in-problems.ts'
import { ApiProblem } from './api-problem.ts'

const FRESH_MS = 15_000
const TRIES = 2

/** The cache of what the API said. `onSignedOut` is called when any answer says that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof ApiProblem && error.status === 401 && !isAboutTheForm(error)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Whether the browser has the internet says nothing of a gateway on this machine or in this network.
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < TRIES && isWorthAnotherTry(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

/** A wrong password is answered with 401 too, and belongs to the form that asked for it. */
const ABOUT_THE_FORM: ReadonlySet<string> = new Set([
  'credentials_wrong',
  'second_step_wrong',
  'second_step_expired',
  'passkey_refused',
] satisfies SignInProblemCode[])

function isAboutTheForm(problem: ApiProblem): boolean {
  return ABOUT_THE_FORM.has(problem.code)
}

function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status === 502 || error.status === 503)
}
