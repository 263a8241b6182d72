import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { type MadeKey, rotateKey } from '../../../api/keys.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Form } from '../../../forms/form.tsx'
import { useOneTimeSecret } from '../../../forms/use-one-time-secret.ts'
import { useSubmission } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { SecretFlow } from './secret-flow.tsx'

/** Gives a key another secret, shown once, while the old one goes on for as long as is chosen. */
export function RotateKey({ apiKey, onClose }: { readonly apiKey: ApiKeyView; onClose(): void }): ReactNode {
  const t = useTexts('keys')
  const format = useFormat()
  const noteOn = ({ key }: MadeKey): string =>
    key.overlap === null ? t.rotation.stopped : t.rotation.overlapSaid(format.time(key.overlap.ends_at))
  return (
    <SecretFlow
      title={t.rotation.title(apiKey.name)}
      description={t.rotation.lead}
      titleWhenMade={t.secret.rotatedTitle}
      note={noteOn}
      onClose={onClose}
    >
      {(onMade) => <RotateForm apiKey={apiKey} onMade={onMade} onCancel={onClose} />}
    </SecretFlow>
  )
}

function RotateForm(props: { readonly apiKey: ApiKeyView; onMade(made: MadeKey): void; onCancel(): void }): ReactNode {
  const t = useTexts('keys').rotation
  const shared = useSharedTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [overlap, setOverlap] = useState<OverlapName>('day')
  const secret = useOneTimeSecret()
  const submission = useSubmission<ApiKeyView>({
    fields: [],
    send: async (idempotencyKey) => {
      const answer = await rotateKey(props.apiKey.id, OVERLAPS[overlap], idempotencyKey)
      secret.keep(answer)
      return answer.key
    },
    onDone: (key) => {
      props.onMade({ key, secret: secret.take() })
      void queryClient.invalidateQueries({ queryKey: ['keys', 'list'] })
    },
  })
  const running = props.apiKey.overlap
  const names = Object.keys(OVERLAPS) as OverlapName[]
  return (
    <Form
      submission={submission}
      foot={
        <div className="flex flex-wrap justify-end gap-2 max-sm:[&>*]:flex-1">
          <Button onClick={props.onCancel}>{shared.cancel}</Button>
          <Button type="submit" look="primary" isBusy={submission.isSending}>
            {overlap === 'none' ? t.submitNow : t.submit}
          </Button>
        </div>
      }
    >
      <RadioCards
        label={t.overlap}
        name="overlap"
        value={overlap}
        onValue={setOverlap}
        options={names.map((value) => ({ value, label: t.overlaps[value], detail: t.overlapDetails[value] }))}
      />
      {running !== null && <Notice tone="warn">{t.running(running.secret_end, format.time(running.ends_at))}</Notice>}
    </Form>
  )
}

/** How long an old secret goes on working after a rotation, in seconds, as it is offered. */
const OVERLAPS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const

type OverlapName = keyof typeof OVERLAPS
