import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SetUpPreview } from '../../../src/contract/sign-in.ts'
import { previewSetUp, setUp } from '../../api/sign-in.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useEnterConsole } from './enter-console.ts'
import { LinkPreview } from './link-preview.tsx'
import { useLinkToken } from './link-token.ts'
import { NewAccountForm } from './new-account-form.tsx'
import { OutsideFrame } from './outside-frame.tsx'

/** The page of the one-time link that a new installation prints: makes the first admin and signs them in. */
export default function SetUpPage(): ReactNode {
  const t = useTexts('outside').setUp
  const token = useLinkToken()
  return (
    <OutsideFrame title={t.title}>
      <LinkPreview token={token} preview={previewSetUp}>
        {(preview, valid) => <SetUpForm key={valid} preview={preview} token={valid} />}
      </LinkPreview>
    </OutsideFrame>
  )
}

function SetUpForm({ preview, token }: { readonly preview: SetUpPreview; readonly token: string }): ReactNode {
  const t = useTexts('outside').setUp
  const enter = useEnterConsole()
  const goIn = useMutation({ mutationFn: () => setUp({ token }), onSuccess: enter })
  const form = (
    <NewAccountForm
      action={t.action}
      send={({ email, password, name }) => setUp({ token, email, password, ...(name === '' ? {} : { name }) })}
      onDone={enter}
    />
  )
  if (preview.must_choose) {
    return (
      <>
        <p className="-mt-4 mb-5 text-ink-2">{t.lead}</p>
        {form}
      </>
    )
  }
  return (
    <div className="grid gap-4">
      <p className="-mt-4 text-ink-2">{t.leadDemo}</p>
      {goIn.error !== null && <ErrorState error={goIn.error} />}
      <Button look="primary" isBusy={goIn.isPending} onClick={() => goIn.mutate()}>
        {t.actionDemo}
      </Button>
      <div>
        <Disclosure title={t.choose}>{form}</Disclosure>
        <p className="mt-1.5 text-sm text-ink-3">{t.chooseHint(preview.email)}</p>
      </div>
    </div>
  )
}
