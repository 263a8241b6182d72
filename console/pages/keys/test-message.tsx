import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KeyMessageAsked, KeyMessageView } from '../../../src/contract/key-messages.ts'
import { keyMessagePriceQuery, sendKeyMessage } from '../../api/key-messages.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ExplainedCost } from '../../costs/explained-cost.tsx'

/** What a message changes that other parts show. */
const CHANGED = ['me', 'usage', 'overview', 'keys'] as const

/** Sends a small real message with a key, without its secret: what it costs at most is said before, and what came of it after. */
export default function TestMessage(props: {
  readonly keyId: string
  readonly asked: KeyMessageAsked
  readonly look?: 'primary' | 'secondary'
  /** What is to be pressed once it was answered. */
  readonly next?: ReactNode
  onAnswered?(): void
}): ReactNode {
  const t = useTexts('key').message
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const queries = useQueryClient()
  const { keyId, asked } = props
  const price = useQuery(keyMessagePriceQuery(keyId, asked)).data
  const send = useMutation({
    mutationFn: (message: KeyMessageAsked) => sendKeyMessage(keyId, message),
    onSuccess: ({ ok }) => {
      if (ok) props.onAnswered?.()
      for (const name of CHANGED) {
        // The setup stays as it is: it is what is being filled in.
        void queries.invalidateQueries({
          queryKey: [name],
          refetchType: name === 'me' || name === 'overview' ? 'active' : 'none',
        })
      }
    },
  })
  const isAnswered = send.data?.ok === true
  return (
    <div className="grid grid-cols-1 gap-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Button
          icon="play"
          look={isAnswered ? 'secondary' : (props.look ?? 'secondary')}
          isBusy={send.isPending}
          onClick={() => send.mutate(asked)}
        >
          {t.send}
        </Button>
        <p className="min-w-0 flex-1 basis-56 text-sm text-ink-3">
          {sentences([
            t.about(asked.model),
            price === undefined ? '' : t.price(format.money(price.most), price.output_tokens),
          ])}
        </p>
      </div>
      {send.error !== null && <ErrorState error={send.error} />}
      {send.data !== undefined && <MessageResult result={send.data} model={send.variables.model} next={props.next} />}
    </div>
  )
}

/** What the model answered; or at which part of the way it stopped, why, and what a client would have got to read. */
function MessageResult(props: {
  readonly result: KeyMessageView
  readonly model: string
  readonly next: ReactNode
}): ReactNode {
  const { result, model, next } = props
  const t = useTexts('key').message
  const faults = useTexts('faults')
  const format = useFormat()
  const record = (
    <Link to={PATHS.usage} search={{ record: result.request_id }} className="text-accent underline underline-offset-2">
      {t.record}
    </Link>
  )
  if (result.ok) {
    const tokens = t.tokens(format.number(result.input_tokens ?? 0), format.number(result.output_tokens ?? 0))
    return (
      <Notice tone="good" isLive title={t.answered(model)} action={next}>
        {result.text !== null && <blockquote className="border-l-2 border-good pl-2.5">{result.text}</blockquote>}
        <p className="mt-1 text-sm">
          {tokens} · <ExplainedCost requestId={result.request_id}>{format.money(result.cost)}</ExplainedCost> ·{' '}
          {format.duration(result.total_ms)} · {record}
        </p>
      </Notice>
    )
  }
  const text = result.fault === null ? undefined : faultTextOf(faults, result.fault)
  return (
    <Notice tone="bad" isLive title={t.stopped(t.stages[result.stage], text?.title ?? t.noAnswer)}>
      {text !== undefined && <p>{text.cause}</p>}
      {text !== undefined && <p className="mt-1 font-medium">{text.remedy}</p>}
      {result.message !== null && <p className="mt-1.5 text-sm">{t.clientGets(result.message)}</p>}
      <p className="mt-1.5 text-sm">
        <code className="font-mono select-all">{result.request_id}</code> · {record}
      </p>
    </Notice>
  )
}
