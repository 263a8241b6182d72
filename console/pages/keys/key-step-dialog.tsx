import { Suspense, type ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { ConfirmStep } from './confirm-step.tsx'
import { EditKey } from './edit-key.tsx'
import { KeyChecks } from './key-checks.tsx'
import type { KeyStep } from './key-step.ts'
import { CreateKey } from './secret/create-key.tsx'
import { RotateKey } from './secret/rotate-key.tsx'
import { ImportKey, UseKey } from './use-key.tsx'

/** The dialog of a step. It is taken off the page when it closes, and everything that was typed or shown in it goes, too. */
export default function KeyStepDialog({ step, onClose }: { readonly step: KeyStep; onClose(): void }): ReactNode {
  switch (step.kind) {
    case 'create':
      return <CreateKey onClose={onClose} />
    case 'use':
      return <UseKey apiKey={step.apiKey} onClose={onClose} />
    case 'import':
      return <ImportKey apiKey={step.apiKey} onClose={onClose} />
    case 'edit':
      return <EditKey apiKey={step.apiKey} fix={step.fix} onClose={onClose} />
    case 'rotate':
      return <RotateKey apiKey={step.apiKey} onClose={onClose} />
    case 'test':
      return <TestKey apiKey={step.apiKey} onClose={onClose} />
    case 'disable':
    case 'delete':
      return <ConfirmStep kind={step.kind} apiKey={step.apiKey} onClose={onClose} />
  }
}

function TestKey(props: {
  readonly apiKey: { readonly id: string; readonly name: string }
  onClose(): void
}): ReactNode {
  const t = useTexts('keys').testing
  return (
    <Dialog isOpen onClose={props.onClose} size="small" title={t.title(props.apiKey.name)} description={t.lead}>
      <Suspense fallback={<SkeletonLines count={4} />}>
        <KeyChecks keyId={props.apiKey.id} />
      </Suspense>
    </Dialog>
  )
}
