import type { ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { UsageView } from './use-usage-search.ts'

const UsageMenu = lazyPart(() => import('./usage-menu.tsx'))

/** How old the page is, whether it follows what happens, and what else can be done with it. */
export function LiveControls(props: {
  readonly view: UsageView
  readonly csvLink: string
  readonly readAtMs: number
}): ReactNode {
  const t = useTexts('usage')
  const shared = useSharedTexts()
  const format = useFormat()
  const nowMs = useNow()
  const { view, readAtMs } = props
  const { isLive } = view.search
  return (
    <div className="ml-auto flex items-center gap-2">
      {/* Before the first answer the text is there for its width, so that nothing moves when it comes. */}
      <span className={`text-sm whitespace-nowrap text-ink-3 ${readAtMs > 0 ? '' : 'invisible'}`}>
        {shared.table.asOf(format.clock(readAtMs > 0 ? readAtMs : nowMs, nowMs))}
      </span>
      <Button
        look={isLive ? 'primary' : 'secondary'}
        icon={isLive ? 'pause' : 'play'}
        title={t.liveHint}
        onClick={() => view.change({ isLive: !isLive, ...(isLive ? {} : { cursor: null }) }, { isReplacing: true })}
      >
        {isLive ? t.pauseLive : t.live}
      </Button>
      <Menu onNear={UsageMenu.load} trigger={<IconButton icon="more" label={t.moreActions} />}>
        <UsageMenu view={view} csvLink={props.csvLink} />
      </Menu>
    </div>
  )
}
