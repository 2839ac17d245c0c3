//! Decimal numbers of up to 31 digits (IDL 4.2 section 7.4.1.4.3).

/// `digits` with so many of them behind the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    digits: i128,
    scale: u32,
}

/// 31 digits.
const MOST: i128 = 10_i128.pow(31) - 1;
const SCALE_MOST: u32 = 31;

impl Fixed {
    /// `12.50`, `.5`, `7`; `None` where there are too many digits.
    pub(super) fn parse(text: &str) -> Option<Fixed> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("0{whole}{fraction}").parse::<i128>().ok()?;
        Fixed { digits, scale: u32::try_from(fraction.len()).ok()? }.checked()
    }

    pub(super) fn is_zero(self) -> bool {
        self.digits == 0
    }

    /// Digits in all, and behind the point.
    pub(super) fn size(self) -> (u16, i16) {
        let length = self.digits.unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
        let all = length.max(self.scale);
        (u16::try_from(all).unwrap_or(u16::MAX), i16::try_from(self.scale).unwrap_or(i16::MAX))
    }

    /// Without trailing zeros behind the point, and of few enough digits: those behind the point give way.
    fn checked(mut self) -> Option<Fixed> {
        while self.scale > 0 && (self.digits % 10 == 0 || self.digits.abs() > MOST || self.scale > SCALE_MOST) {
            self.digits /= 10;
            self.scale -= 1;
        }
        (self.digits.abs() <= MOST).then_some(self)
    }

    pub(super) fn negated(self) -> Fixed {
        Fixed { digits: -self.digits, ..self }
    }

    pub(super) fn plus(self, other: Fixed) -> Option<Fixed> {
        let scale = self.scale.max(other.scale);
        let digits = self.scaled(scale)?.checked_add(other.scaled(scale)?)?;
        Fixed { digits, scale }.checked()
    }

    fn scaled(self, scale: u32) -> Option<i128> {
        self.digits.checked_mul(10_i128.checked_pow(scale - self.scale)?)
    }

    /// Digits behind the point that do not fit are cut off before.
    pub(super) fn times(self, other: Fixed) -> Option<Fixed> {
        let (mut left, mut right) = (self, other);
        loop {
            if let Some(digits) = left.digits.checked_mul(right.digits) {
                return Fixed { digits, scale: left.scale + right.scale }.checked();
            }
            let longer = if left.scale >= right.scale { &mut left } else { &mut right };
            longer.scale = longer.scale.checked_sub(1)?;
            longer.digits /= 10;
        }
    }

    /// To as many digits as there is room for.
    pub(super) fn over(self, other: Fixed) -> Option<Fixed> {
        let mut digits = self.digits;
        let mut scale = self.scale;
        while digits.abs() < i128::MAX / 10 && scale < SCALE_MOST + other.scale {
            digits *= 10;
            scale += 1;
        }
        let mut divisor = other;
        while divisor.scale > scale {
            divisor.digits /= 10;
            divisor.scale -= 1;
        }
        let digits = digits.checked_div(divisor.digits)?;
        Fixed { digits, scale: scale - divisor.scale }.checked()
    }
}

impl std::fmt::Display for Fixed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scale = self.scale as usize;
        let digits = format!("{:0width$}", self.digits.unsigned_abs(), width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let sign = if self.digits < 0 { "-" } else { "" };
        match scale {
            0 => write!(formatter, "{sign}{whole}"),
            _ => write!(formatter, "{sign}{whole}.{fraction}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fixed;

    fn fixed(text: &str) -> Fixed {
        Fixed::parse(text).unwrap()
    }

    #[test]
    fn decimal_arithmetic_is_exact_as_long_as_31_digits_hold_it() {
        assert_eq!(fixed("1.50").plus(fixed("2.25")).unwrap().to_string(), "3.75");
        assert_eq!(fixed("0.1").plus(fixed("0.2").negated()).unwrap().to_string(), "-0.1");
        assert_eq!(fixed("12.5").times(fixed("0.08")).unwrap().to_string(), "1");
        assert_eq!(fixed("10").over(fixed("4")).unwrap().to_string(), "2.5");
        assert_eq!(fixed("10").over(fixed("3")).unwrap().to_string(), format!("3.{}", "3".repeat(30)));
        assert_eq!(fixed("007.10").size(), (2, 1));
        assert_eq!(fixed(".05").size(), (2, 2));
        assert_eq!(fixed("0").size(), (1, 0));
    }

    #[test]
    fn what_31_digits_do_not_hold_is_none() {
        assert_eq!(Fixed::parse(&"9".repeat(32)), None);
        assert_eq!(fixed(&"9".repeat(31)).plus(fixed("1")), None);
        assert_eq!(fixed(&"9".repeat(31)).times(fixed("10")), None);
        let third = fixed("1").over(fixed("3")).unwrap();
        assert!(third.times(third).is_some());
        assert_eq!(fixed(&"9".repeat(31)).over(fixed("0.1")), None);
    }
}
