//! What strings cover, given which strings end where.

use super::memory::Recalled;
use crate::Span;

/// A symbol of the page, and how many symbols the longest string has that ends with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) span: Span,
    pub(super) longest: u32,
}

/// What strings cover, found from the end of a page back: a symbol is covered if a string that ends
/// with it, or with a later one, reaches back that far.
#[derive(Debug, Default)]
pub(super) struct Covered {
    /// Last one first.
    spans: Vec<Span>,
    /// How many symbols before those gone over are covered by strings that end in them.
    reach: u32,
}

impl Covered {
    /// Nothing so far, with room for what a page of so many bytes may have.
    pub(super) fn of_page(bytes: usize) -> Self {
        const BYTES_A_SPAN: usize = 40;
        Covered {
            spans: Vec::with_capacity(bytes / BYTES_A_SPAN),
            reach: 0,
        }
    }

    /// What is covered, last one first.
    pub(super) fn backwards(&self) -> &[Span] {
        &self.spans
    }

    pub(super) fn reach(&self) -> u32 {
        self.reach
    }

    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.reach = 0;
    }

    pub(super) fn in_order(mut self) -> Vec<Span> {
        self.spans.reverse();
        self.spans
    }

    /// Goes over symbols that stand before those gone over.
    pub(super) fn by_symbols(&mut self, symbols: &[Met]) {
        for &Met { span, longest } in symbols.iter().rev() {
            let is_joined = self.reach > 0;
            let covered = longest.max(self.reach);
            self.reach = covered.saturating_sub(1);
            if covered == 0 {
                continue;
            }
            match self.spans.last_mut() {
                Some(next) if is_joined || next.start == span.end => next.start = span.start,
                _ => self.spans.push(span),
            }
        }
    }

    /// Goes over a piece that is remembered. What its own strings cover is known; those of later
    /// pieces cover the last of its symbols, or all.
    #[inline]
    pub(super) fn by_piece(&mut self, piece: &Recalled<'_>) {
        let (count, reach) = (piece.starts.len(), self.reach as usize);
        let own = piece.own_reach;
        self.reach = own.max(self.reach.saturating_sub(count as u32));
        let reached = piece
            .starts
            .get(count.wrapping_sub(reach))
            .copied()
            .unwrap_or(0);
        if let Some(next) = self.spans.last_mut()
            && reach > 0
        {
            next.start = piece.at + u32::from(reached);
        }
        if reach >= count {
            return;
        }
        for &[start, end] in piece.covered {
            let (start, end) = (piece.at + u32::from(start), piece.at + u32::from(end));
            match self.spans.last_mut() {
                Some(next) if next.start <= end => next.start = next.start.min(start),
                _ => self.spans.push(Span { start, end }),
            }
        }
    }
}
