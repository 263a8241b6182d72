import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { outsideDictionary } from '../../dictionaries/outside.ts'
import { PATHS } from '../../paths.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { buttonClass } from '../../ui/button.tsx'

/**
 * Shows what a link leads to, once the server was asked about it. The token and the answer stay out of the cache of
 * queries. `look` is called once per token.
 */
export function LinkLook<Answer>(props: {
  readonly token: string | null
  look(token: string): Promise<Answer>
  children(answer: Answer, token: string): ReactNode
}): ReactNode {
  const t = outsideDictionary.useTexts()
  const { token } = props
  const looked = useRef<string | null>(null)
  const look = useMutation({ mutationFn: props.look })
  const { mutate } = look
  useEffect(() => {
    if (token === null || looked.current === token) return
    looked.current = token
    mutate(token)
  }, [token, mutate])
  if (token === null) {
    return (
      <>
        <Notice tone="warn" title={t.linkMissing.title}>
          {t.linkMissing.text}
        </Notice>
        <BackToSignIn />
      </>
    )
  }
  if (look.error !== null) {
    return (
      <>
        <ErrorState error={look.error} onRetry={() => mutate(token)} />
        <BackToSignIn />
      </>
    )
  }
  if (look.data === undefined) return <SkeletonLines count={6} />
  return props.children(look.data, token)
}

export function BackToSignIn(): ReactNode {
  const t = outsideDictionary.useTexts()
  return (
    <Link to={PATHS.signIn} className={buttonClass('secondary', 'mt-4 w-full')}>
      {t.backToSignIn}
    </Link>
  )
}
