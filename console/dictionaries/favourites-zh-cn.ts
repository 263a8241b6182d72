import type { texts as english } from './favourites-en.ts'

export const texts: typeof english = {
  mark: (model) => `收藏：${model}`,
  marked: '取消收藏',
  notMarked: '收藏：优先显示，并写入客户端配置',
  most: (count) => `最多收藏 ${count} 个模型，请先取消一个。`,
}
