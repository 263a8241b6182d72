import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { ADMIN_PATHS } from '../../../../admin-pages.ts'
import { modelsQuery } from '../../../../api/models.ts'
import { importsQuery } from '../../../../api/price-admin.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { Section } from '../../../../ui/section.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { BackLink } from '../../../../ui/back-link.tsx'
import type { Catalogue } from './catalogue-entry.ts'
import { CatalogueSource } from './catalogue-source.tsx'
import { ImportFailures } from './import-failures.tsx'
import { ImportPreview } from './import-preview.tsx'
import { type PastImport, pastImports } from './take-back.ts'
import { useImport } from './use-import.ts'

/** Prices from a catalogue: read here, compared with those that are set, and saved as ticked. */
export default function ImportPage(): ReactNode {
  const t = useTexts('priceImport')
  const models = useQuery(modelsQuery)
  const [catalogue, setCatalogue] = useState<Catalogue | null>(null)
  return (
    <>
      <BackLink to={ADMIN_PATHS.prices}>{t.back}</BackLink>
      <PageHeader title={t.title} lead={t.lead} />
      {catalogue === null ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <CatalogueSource onCatalogue={setCatalogue} />
          <QueryView query={models} skeleton={<SkeletonLines />}>
            {(all) => <ImportHistory models={all} />}
          </QueryView>
        </div>
      ) : (
        <QueryView query={models} skeleton={<SkeletonLines />}>
          {(all) => <ImportPreview models={all} catalogue={catalogue} onOther={() => setCatalogue(null)} />}
        </QueryView>
      )}
    </>
  )
}

const MOST_SHOWN = 20

/** Imports that were saved before; each can be taken back as far as nothing else was changed since. */
function ImportHistory({ models }: { readonly models: readonly ModelView[] }): ReactNode {
  const t = useTexts('priceImport')
  const mayPrice = useMay('prices')
  const format = useFormat()
  const imports = useQuery(importsQuery)
  const [asked, setAsked] = useState<PastImport | null>(null)
  const { takeBack, failed } = useImport()
  return (
    <Section title={t.history.title} lead={t.history.lead}>
      <ImportFailures failed={failed} />
      {takeBack.isSuccess && takeBack.data.length === 0 && <Notice isLive>{t.undone}</Notice>}
      <QueryView query={imports} skeleton={<SkeletonLines />}>
        {(entries) => {
          const all = pastImports(entries, models).slice(0, MOST_SHOWN)
          if (all.length === 0) return <p className="text-ink-2">{t.history.none}</p>
          return (
            <ul>
              {all.map((each) => (
                <li
                  key={each.id}
                  className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2 first:border-t-0 first:pt-0"
                >
                  <span className="min-w-0 flex-1 basis-56">
                    <span className="block">
                      {format.time(each.at)} · {each.by}
                    </span>
                    <span className="block text-sm [overflow-wrap:anywhere] text-ink-3">
                      {each.models.length === 0
                        ? t.history.over
                        : t.history.standing(each.models.length, format.list(each.models.map(({ name }) => name)))}
                    </span>
                  </span>
                  {mayPrice && each.models.length > 0 && <Button onClick={() => setAsked(each)}>{t.undo}</Button>}
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
      <ConfirmDialog
        isOpen={asked !== null}
        title={t.history.confirm(asked?.models.length ?? 0)}
        action={t.undo}
        isBusy={takeBack.isPending}
        onConfirm={() => takeBack.mutate(asked?.models ?? [], { onSettled: () => setAsked(null) })}
        onClose={() => setAsked(null)}
      >
        {t.history.confirmText}
      </ConfirmDialog>
    </Section>
  )
}
