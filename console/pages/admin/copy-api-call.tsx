import { Suspense, type ReactNode } from 'react'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { usePageCall } from '../../shell/page-call.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

/** Copies what the page asks the API for, with its filter, to be pasted into a shell. */
export function CopyApiCall(): ReactNode {
  return (
    <Suspense fallback={null}>
      <CopyCall />
    </Suspense>
  )
}

function CopyCall(): ReactNode {
  const t = useShellTexts().actions
  const call = usePageCall()
  return call === null ? null : <CopyButton look="quiet" what={t.copyCall} label={t.copyCall} text={call} />
}
