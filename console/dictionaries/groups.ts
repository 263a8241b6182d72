import type { GroupsTexts } from './groups-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the admins' page of groups. */
export const groupsDictionary = pageDictionary<GroupsTexts>({
  en: () => import('./groups-en.ts').then((file) => file.groupsEn),
  'zh-CN': () => import('./groups-zh-cn.ts').then((file) => file.groupsZhCn),
})
