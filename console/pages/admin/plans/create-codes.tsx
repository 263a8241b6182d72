import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { createCodes } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SavedFoot, useLeaveQuestion } from '../../../forms/leave-question.tsx'
import { useOneTimeSecret } from '../../../forms/use-one-time-secret.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CodesForm } from './codes-form.tsx'

/** What was created: one code a line; `codes` null: they were lost on the way. */
interface Made {
  readonly count: number
  readonly codes: string | null
}

/** Creates codes and shows them, once: they live in this component's state, and are gone with it. */
export default function CreateCodes(props: { readonly plans: readonly PlanView[]; onClose(): void }): ReactNode {
  const t = useTexts('plans').codes
  const queries = useQueryClient()
  const [made, setMade] = useState<Made | null>(null)
  const [isKept, setKept] = useState(false)
  const secret = useOneTimeSecret()
  const isSafeToLeave = made === null || made.codes === null || isKept
  const { leave, question } = useLeaveQuestion({ isSafeToLeave, texts: t, onClose: () => props.onClose() })
  return (
    <>
      <Dialog
        isOpen
        onClose={leave}
        title={made === null ? t.new : t.shownTitle(made.count)}
        {...(made === null
          ? {}
          : {
              foot: (
                <SavedFoot
                  saved={made.codes === null ? null : { label: t.kept, isSaved: isKept, onSaved: setKept }}
                  done={t.done}
                  onDone={leave}
                />
              ),
            })}
      >
        {made === null ? (
          <CodesForm
            plans={props.plans}
            onCancel={props.onClose}
            send={async (codes, key) => {
              const answer = await createCodes(codes, key)
              secret.keep({ secret: answer.codes === null ? null : answer.codes.join('\n') })
              return answer.data.length
            }}
            onDone={(count) => {
              setMade({ count, codes: secret.take() })
              void queries.invalidateQueries({ queryKey: ['plans', 'codes'] })
            }}
          />
        ) : made.codes === null ? (
          <Notice tone="bad" isLive>
            {t.lost}
          </Notice>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <Notice tone="warn" isLive>
              {t.once}
            </Notice>
            <CodeBlock title={t.list} text={made.codes} onCopied={() => setKept(true)} />
          </div>
        )}
      </Dialog>
      {question}
    </>
  )
}
