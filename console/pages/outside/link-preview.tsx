import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { ApiProblem, isUnreachable } from '../../api/api-problem.ts'
import { onHealed } from '../../api/connection.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { buttonClass } from '../../ui/button.tsx'

/**
 * Shows what a link leads to, once the server has returned it. The token and the answer stay out of the cache of
 * queries. `preview` is called once per token.
 */
export function LinkPreview<Answer>(props: {
  readonly token: string | null
  preview(token: string): Promise<Answer>
  children(answer: Answer, token: string): ReactNode
}): ReactNode {
  const t = useTexts('outside')
  const { token } = props
  const asked = useRef<string | null>(null)
  const preview = useMutation({ mutationFn: props.preview })
  const { mutate } = preview
  useEffect(() => {
    if (token === null || asked.current === token) return
    asked.current = token
    mutate(token)
  }, [token, mutate])
  // The token came by the address, which no longer has it: this page cannot be loaded anew.
  const isLost = isUnreachable(preview.error)
  useEffect(() => {
    if (isLost && token !== null) return onHealed(() => mutate(token))
  }, [isLost, token, mutate])
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
  if (preview.error !== null) {
    return (
      <>
        {/* A link that is refused is refused again. */}
        <ErrorState error={preview.error} {...(isRefused(preview.error) ? {} : { onRetry: () => mutate(token) })} />
        <BackToSignIn />
      </>
    )
  }
  if (preview.data === undefined) return <SkeletonLines count={6} />
  return props.children(preview.data, token)
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'link_invalid'
}

export function BackToSignIn(): ReactNode {
  const t = useTexts('outside')
  return (
    <Link to={PATHS.signIn} className={buttonClass('secondary', 'mt-4 w-full')}>
      {t.backToSignIn}
    </Link>
  )
}
