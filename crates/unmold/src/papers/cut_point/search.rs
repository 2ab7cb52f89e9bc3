//! The walk over the landscape.

use super::{CutPoint, Landscape, Search, Settings};
use crate::{Span, symbols::index::Index};

/// A search that has come to its end.
#[derive(Clone, Debug)]
pub struct FoundCutPoint {
    settings: Settings,
    path: Vec<CutPoint>,
}

impl FoundCutPoint {
    /// The cut point that was found.
    pub fn cut_point(&self) -> CutPoint {
        *self.path.last().expect("a path has its start")
    }

    /// The way to it, from (2, 1).
    pub fn path(&self) -> &[CutPoint] {
        &self.path
    }

    /// The stretches of each page that the cut point makes template.
    pub fn template(&self, index: &Index) -> Vec<Vec<Span>> {
        let CutPoint { n, a, .. } = self.cut_point();
        Landscape::new(index, self.settings.clone()).template(n, a)
    }
}

/// Searches an index of characters for an optimal cut point: FindOptimal, figure 3 of the 2001
/// paper.
pub fn find_optimal(index: &Index, settings: Settings) -> FoundCutPoint {
    search(&mut Landscape::new(index, settings))
}

/// Searches a landscape, which keeps what was worked out on the way.
pub fn search(landscape: &mut Landscape<'_>) -> FoundCutPoint {
    let path = match landscape.settings().search {
        Search::Greedy => greedy(landscape),
        Search::Global => global(landscape),
    };
    FoundCutPoint {
        settings: landscape.settings().clone(),
        path,
    }
}

fn greedy(landscape: &mut Landscape<'_>) -> Vec<CutPoint> {
    let (mut n, mut a) = (2, 1);
    let mut count = landscape.count(n, a);
    let mut path = vec![CutPoint { n, a, count }];
    while n <= landscape.longest_page() && a < 100 {
        let more = landscape.count(n, a + 1);
        let longer = landscape.count(n + 1, a);
        if count <= more && count <= longer {
            break;
        }
        // On a tie the n-grams grow.
        if more < longer {
            (a, count) = (a + 1, more);
        } else {
            (n, count) = (n + 1, longer);
        }
        path.push(CutPoint { n, a, count });
    }
    path
}

/// How a point of a row is reached on a falling path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Nowhere,
    Start,
    /// From the same n with a smaller a.
    Less,
    /// From the same a with a smaller n.
    Shorter,
}

/// Follows all falling paths at once, row by row, until none goes on.
fn global(landscape: &mut Landscape<'_>) -> Vec<CutPoint> {
    let mut reached: Vec<[From; 100]> = Vec::new();
    let mut best: Option<CutPoint> = None;
    for n in 2..=landscape.longest_page().max(2) + 1 {
        let row = reach_row(landscape, n, reached.last());
        if row.iter().all(|from| *from == From::Nowhere) {
            break;
        }
        for a in (1..=100u8).filter(|&a| row[usize::from(a) - 1] != From::Nowhere) {
            let point = CutPoint {
                n,
                a,
                count: landscape.count(n, a),
            };
            // Without any change the pages are all template, or all content: nothing was told apart.
            if point.count == 0 || !is_low(landscape, point) {
                continue;
            }
            if best.is_none_or(|best| point.count < best.count) {
                best = Some(point);
            }
        }
        reached.push(row);
    }
    let end = best.unwrap_or_else(|| CutPoint {
        n: 2,
        a: 1,
        count: landscape.count(2, 1),
    });
    way_back(landscape, &reached, end)
}

fn reach_row(landscape: &mut Landscape<'_>, n: usize, above: Option<&[From; 100]>) -> [From; 100] {
    let shorter = above.map(|above| (*above, *landscape.row(n - 1)));
    let counts = *landscape.row(n);
    let mut row = [From::Nowhere; 100];
    if n == 2 {
        row[0] = From::Start;
    }
    for at in 0..100 {
        if let Some((above, longer_counts)) = &shorter
            && above[at] != From::Nowhere
            && longer_counts[at] > counts[at]
        {
            row[at] = From::Shorter;
        } else if at > 0 && row[at - 1] != From::Nowhere && counts[at - 1] > counts[at] {
            row[at] = From::Less;
        }
    }
    row
}

/// Whether no falling path goes on from a point.
fn is_low(landscape: &mut Landscape<'_>, point: CutPoint) -> bool {
    let ends = point.n > landscape.longest_page() || point.a == 100;
    ends || (point.count <= landscape.count(point.n, point.a + 1)
        && point.count <= landscape.count(point.n + 1, point.a))
}

fn way_back(
    landscape: &mut Landscape<'_>,
    reached: &[[From; 100]],
    end: CutPoint,
) -> Vec<CutPoint> {
    let mut path = vec![end];
    let (mut n, mut a) = (end.n, end.a);
    loop {
        match reached[n - 2][usize::from(a) - 1] {
            From::Shorter => n -= 1,
            From::Less => a -= 1,
            From::Start | From::Nowhere => break,
        }
        path.push(CutPoint {
            n,
            a,
            count: landscape.count(n, a),
        });
    }
    path.reverse();
    path
}
