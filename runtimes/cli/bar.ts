const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of Unicode blocks, exact to an eighth of a block. The greatest value has `width` blocks. A value has a mark. */
export const bar = (value: number, greatest: number, width: number): string => {
  if (value <= 0 || greatest <= 0) return '';
  const eighths = Math.max(1, Math.round((value / greatest) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
};
