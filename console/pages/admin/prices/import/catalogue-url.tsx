import { useState, type ReactNode } from 'react'
import type { FetchedPrices } from '../../../../../src/contract/price-fetch.ts'
import { fetchPrices } from '../../../../api/price-admin.ts'
import { type PageTexts, useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { type FieldErrors, useSubmission } from '../../../../forms/use-submission.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { Catalogue } from './catalogue-entry.ts'
import { type CatalogueObjection, catalogueOf } from './read-catalogue.ts'

/** The last answer that had no prices: why, and what was asked. */
interface Failed {
  readonly url: string
  readonly because: Exclude<FetchedPrices, { result: 'read' }> | CatalogueObjection
}

/** A catalogue that the gateway fetches from another server. */
export function CatalogueUrl(props: { onCatalogue(catalogue: Catalogue): void }): ReactNode {
  const t = useTexts('priceImport').source
  const shared = useSharedTexts()
  const [url, setUrl] = useState('')
  const [failed, setFailed] = useState<Failed | null>(null)
  const submission = useSubmission({
    fields: ['url'],
    check: (): FieldErrors => {
      if (url.trim() === '') return { url: shared.required }
      const { username = '', password = '' } = URL.parse(url.trim()) ?? {}
      return username + password === '' ? {} : { url: t.urlWithLogin }
    },
    send: () => {
      setFailed(null)
      return fetchPrices(url.trim())
    },
    onDone: (answer) => {
      const found = answer.result === 'read' ? catalogueOf(answer.document) : answer
      if (typeof found !== 'string' && 'entries' in found) {
        const host = URL.parse(answer.url)?.host
        props.onCatalogue({ ...found, ...(host === undefined ? {} : { from: host }) })
      } else setFailed({ url: answer.url, because: found })
    },
  })
  return (
    <Form
      submission={submission}
      foot={
        <div className="flex justify-end">
          <Button type="submit" isBusy={submission.isSending}>
            {t.fetch}
          </Button>
        </div>
      }
    >
      <TextField
        name="url"
        label={t.url}
        hint={t.urlHint}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        value={url}
        onValue={setUrl}
        error={submission.errorOf('url')}
      />
      {failed !== null && !submission.isSending && (
        <Notice tone="bad" isLive>
          <p>{textOf(failed.because, t)}</p>
          <p className="mt-0.5 text-sm break-all text-ink-2">{t.asked(failed.url)}</p>
        </Notice>
      )}
    </Form>
  )
}

function textOf(because: Failed['because'], t: PageTexts['priceImport']['source']): string {
  if (typeof because === 'string') return t.objections[because]
  return because.result === 'status' ? t.fetchStatus(because.status ?? 0) : t.fetchFailures[because.result]
}
