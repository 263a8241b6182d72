import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { use } from 'react'
import { meQuery } from '../../api/me.ts'
import { sharedEn } from '../../dictionaries/shared-en.ts'
import { sharedZhCn } from '../../dictionaries/shared-zh-cn.ts'
import { loadShellTexts } from '../../dictionaries/shell.ts'
import { usePreferences } from '../../preferences.ts'
import type { ShellPart } from '../shell-part.ts'
import { useKeepPreference } from '../use-keep-preference.ts'
import { useSignOut } from '../use-sign-out.ts'
import type { Command } from './command.ts'
import { fixedCommands, type CommandTools } from './fixed-commands.ts'

/** Every page, and what can be done from anywhere, by its words in both languages; shown in the reader's. */
export function useCommands(open: (part: ShellPart) => void): readonly Command[] {
  const texts = use(loadShellTexts())
  const isChinese = usePreferences().language === 'zh-CN'
  const { data: me } = useSuspenseQuery(meQuery)
  const navigate = useNavigate()
  const tools: CommandTools = {
    go: (path, search = {}) => void navigate({ to: path, search }),
    openTab: (address) => void window.open(address, '_blank', 'noreferrer'),
    open,
    keep: useKeepPreference(),
    signOut: useSignOut(),
  }
  const english = { shell: texts.en, shared: sharedEn }
  const chinese = { shell: texts['zh-CN'], shared: sharedZhCn }
  const [own, other] = isChinese ? [chinese, english] : [english, chinese]
  return fixedCommands({ isAdmin: me.role === 'admin' }).map(({ nameIn, words, run, ...command }) => ({
    ...command,
    label: nameIn(own),
    names: [nameIn(own), nameIn(other)],
    words: [own.shell.words[words], other.shell.words[words]],
    run: () => run(tools),
  }))
}
