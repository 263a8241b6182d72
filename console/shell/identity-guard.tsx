import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react'
import type { Me } from '../../src/contract/me.ts'
import { ApiProblem } from '../api/api-problem.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const ConfirmIdentity = lazyPart(() => import('./confirm-identity.tsx'))

type Guarded = <Answer>(send: () => Promise<Answer>) => Promise<Answer>

const GuardContext = createContext<Guarded>((send) => send())

/**
 * Wraps a step that the server may protect: when it asks for credentials, the reader is asked, and the step is sent again.
 * Rejects with the server's refusal when they decline. `guarded(() => request(…))`.
 */
export function useGuarded(): Guarded {
  return useContext(GuardContext)
}

/** Stands once, in the shell. */
export function IdentityGuard({ me, children }: { readonly me: Me; readonly children: ReactNode }): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const answered = useRef<(isConfirmed: boolean) => void>(() => {})
  const ask = useCallback(() => {
    setAsking(true)
    return new Promise<boolean>((resolve) => {
      answered.current = resolve
    })
  }, [])
  const guarded = useCallback<Guarded>(
    async (send) => {
      try {
        return await send()
      } catch (error) {
        const isAsked = error instanceof ApiProblem && error.code === 'confirmation_needed'
        if (!isAsked || !(await ask())) throw error
        return send()
      }
    },
    [ask],
  )
  const answer = (isConfirmed: boolean): void => {
    setAsking(false)
    answered.current(isConfirmed)
  }
  return (
    <GuardContext value={guarded}>
      {children}
      {isAsking && <ConfirmIdentity me={me} onAnswer={answer} />}
    </GuardContext>
  )
}
